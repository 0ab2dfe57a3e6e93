"""Where the mat lies: the homography between pixels and millimetres, the lens, taught cards, drift."""
