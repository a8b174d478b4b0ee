"""Deals: what a code deals, and what is known of it."""
