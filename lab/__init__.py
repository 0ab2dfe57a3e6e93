"""The lab: measures of reader and referee, and training. Not shipped; run from a checkout."""
