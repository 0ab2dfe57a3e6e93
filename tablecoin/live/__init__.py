"""The running table: a camera that is watched, a referee that rules, pages that are served."""
