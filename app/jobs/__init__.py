"""Jobs for the solver: a bounded queue in the database, and the processes that work it off.

The server only puts jobs in and reads what came out; it plays on when nobody works.
"""
