"""Figures that a person can measure: `make bench`."""
