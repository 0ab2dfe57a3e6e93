"""Files: reading with limits, damage noticed, durable writes, and where Coin Age maps lie."""
