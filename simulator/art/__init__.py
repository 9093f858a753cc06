"""Card decks, backs, chip sets, cloths and rooms, in splits `train`, `valid`, `test` that share no art."""

from simulator.art.decks import back_image, backs, deck_back, deck_faces, decks

__all__ = ["back_image", "backs", "deck_back", "deck_faces", "decks"]
