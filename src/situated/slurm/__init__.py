"""Chains of recipes, here or as jobs."""
