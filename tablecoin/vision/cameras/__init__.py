"""One file a source. None is imported before it is chosen: see `tablecoin.vision.camera.open_camera`."""
