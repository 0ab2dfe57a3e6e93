"""*What Goes Around Comes Around*: choices in secret, resolved all at once."""
