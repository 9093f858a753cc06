"""Where things are: lens, table plane, layout, seats; and whether a camera has moved."""
