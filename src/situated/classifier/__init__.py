"""Context-dependence identification (SituatedQA sections 2.3 and 4.1)."""
