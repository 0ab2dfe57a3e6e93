"""How coins.onnx was made: `python -m calibration.training --help`. The only place that imports torch."""
