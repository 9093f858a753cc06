"""Scripted rounds played on a table of our own and filmed, with exact truth."""
