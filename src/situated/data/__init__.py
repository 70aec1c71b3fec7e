"""Released data sets: where they come from, their formats in and out."""
