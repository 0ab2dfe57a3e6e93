"""What tables and clubs say to each other over an MQTT broker: topics, messages, and the connection both use."""
