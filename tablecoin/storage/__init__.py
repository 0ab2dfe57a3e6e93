"""Files: reading with a limit, durable writes, and where Coin Age maps lie."""
