"""How coins.onnx was made: `python -m lab.training --help`. The only place that imports torch."""
