"""Pictures for people: readings drawn on photos, and the live view."""
