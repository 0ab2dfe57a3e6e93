"""Is the table at rest: motion, hands, and pictures too dark or too blurred to rule on."""
