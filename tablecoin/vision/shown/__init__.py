"""Pictures for people: readings drawn on photos, and small pictures for watchers."""
