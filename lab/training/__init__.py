"""How the networks and more were made: `python -m lab train --help`. The only place that imports torch."""
