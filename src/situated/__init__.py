"""Question answering where the answer depends on when, where or about whom the question is asked."""

__version__ = "0.1.0"
