"""Contexts in which a question is asked: how their values are written, and how a question says them."""
