"""One table publishes over MQTT: what it is, where it stands, and every ruling. It reads; nothing here rules."""
