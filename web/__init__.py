"""The Flask display: pages, static files, the live stream and the API."""
