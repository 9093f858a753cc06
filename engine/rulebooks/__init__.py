"""The shipped rulebooks, one TOML file each."""
