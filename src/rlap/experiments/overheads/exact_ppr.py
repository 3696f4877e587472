"""Columns of PPR without a threshold, and how far another matrix is from them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

_LEFT_OUT = 1e-10  # of every column: what the terms that are not summed would add


def exact_columns(
    edge_index: NDArray[np.int64], num_nodes: int, columns: NDArray[np.int64], alpha: float
) -> NDArray[np.float64]:
    """Sum the series alpha (1 - alpha)^k (A D^-1)^k for some columns, until all further terms add less than 1e-10.

    It is simple and slow on purpose: this is what the quick ways are compared with.

    Example:
        >>> pair = np.array([[0, 1], [1, 0]])
        >>> exact_columns(pair, 2, np.array([0]), alpha=0.2).round(4).tolist()
        [[0.5556], [0.4444]]
    """
    adjacency = sp.csr_array((np.ones(edge_index.shape[1]), tuple(edge_index)), shape=(num_nodes, num_nodes))
    degree = adjacency.sum(axis=0)
    step = (1 - alpha) * adjacency @ sp.diags_array(1 / np.maximum(degree, 1))
    term = np.zeros((num_nodes, len(columns)))
    term[columns, np.arange(len(columns))] = alpha
    total = term.copy()
    for _ in range(math.ceil(math.log(_LEFT_OUT) / math.log(1 - alpha))):
        term = step @ term
        total += term
    return total


def errors(
    found: Any, exact: NDArray[np.float64], kept: NDArray[np.int64], columns: NDArray[np.int64]
) -> tuple[float, float]:
    """Compare some columns of a sparse matrix with the exact ones, in the rows of the kept nodes.

    Returns:
        The Frobenius norm of the difference over that of the exact columns, and the sum of the absolute differences
        over that of the exact entries. The first weighs large entries, the second also feels many small ones that a
        threshold leaves out.

    Example:
        >>> exact = np.array([[3.0], [4.0]])
        >>> errors(sp.csr_array(np.array([[3.0], [0.0]])), exact, np.array([0, 1]), np.array([0]))
        (0.8, 0.5714285714285714)
    """
    truth = exact[kept]
    difference = sp.csc_array(found)[:, columns].toarray()[kept] - truth
    return (
        float(np.linalg.norm(difference) / np.linalg.norm(truth)),
        float(np.abs(difference).sum() / np.abs(truth).sum()),
    )
