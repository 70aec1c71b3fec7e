"""Wikitext's constructs, each read by one part of the scanner."""
