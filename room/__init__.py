"""The surveillance room: a web application over what the pipeline records."""
