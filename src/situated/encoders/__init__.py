"""Pretrained text encoders: where they lie and how they are loaded."""
