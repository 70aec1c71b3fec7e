"""Run folders -> the papers' tables, with the printed figures beside ours."""
