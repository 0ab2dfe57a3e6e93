"""Set-up and nothing else: the wizard and its steps, teaching a map, one's own coins, labels and the scorecard."""
