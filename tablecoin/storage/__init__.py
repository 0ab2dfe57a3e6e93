"""Files read and written with care: durable writes, and where Coin Age maps lie."""
