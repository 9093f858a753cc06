"""The game as pure Python: cards, hands, money, settlement, jackpots, table state and the checks.

Nothing here knows about pixels, and nothing here imports more than the standard library, so that
the same code judges a live table, a replay, a reconstruction and a test.
"""
