"""One file a source. None is imported before it is chosen: see `tablecoin.vision.cameras.camera.open_camera`."""
