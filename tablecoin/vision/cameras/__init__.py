"""One file a camera. `opening.open_camera` imports a file only when its camera is chosen."""
