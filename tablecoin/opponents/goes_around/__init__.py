"""The computer at *What Goes Around Comes Around*."""
