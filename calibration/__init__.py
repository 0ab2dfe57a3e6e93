"""Set-up time: printing mats, finding the plane, teaching, the scorecard, and how coins.onnx was made."""
