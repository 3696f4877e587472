"""Long tests that are run overnight by `make torture`; small ones of the same kind are in `test_torture.py`."""
