"""What augmentors cost: memory and time, as in the paper's two overhead tables and its comparison of PPR."""
