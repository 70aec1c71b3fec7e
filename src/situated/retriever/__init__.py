"""Passage retrieval: which passages of a collection answer a question in its context."""
