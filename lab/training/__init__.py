"""How coins.onnx, faces.onnx and more were made: `python -m lab train --help`. The only place that imports torch."""
