"""The live table: a camera that is watched, a referee that rules, a snapshot for pages and panel."""
