"""One game of history, told step by step: for the page, for a file that opens with no network, and as a picture."""
