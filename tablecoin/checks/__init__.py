"""Is everything there, and how fast is it here: the doctor and the bench."""
