"""`python -m rlap.cli`, and so `torchrun -m rlap.cli`."""

from rlap.cli import main

if __name__ == "__main__":
    main()
