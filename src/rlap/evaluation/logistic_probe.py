"""The probe of the clean protocol: scikit-learn's logistic regression, with its strength picked on validation."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlap.datasets.splits import Split

STRENGTHS = tuple(10.0**power for power in range(-4, 3))  # of C, which is the inverse of the regularisation
_ITERATIONS = 500
_SMALL = 1 << 24  # multiplications of a step, under which a second thread costs more than it saves


def predict_by_regression(embedding: NDArray[Any], classes: NDArray[np.int64], split: Split) -> NDArray[np.int64]:
    """Fit on the training part for every C of a grid, and predict all rows with the one that is best on validation.

    Of equal ones, the smallest C counts. Features are standardised with the mean and deviation of the training part;
    neither validation nor test rows enter a fit.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler
    from threadpoolctl import threadpool_limits

    train, val = split.train.numpy(), split.val.numpy()
    scaler = StandardScaler().fit(embedding[train])
    x = scaler.transform(embedding)
    # Each fit starts where the last one ended; the problem is convex, so this changes the time and not the result.
    model = LogisticRegression(max_iter=_ITERATIONS, warm_start=True)
    best, predicted = -1, np.zeros(len(x), dtype=np.int64)
    threads = 1 if x[train].size * (classes.max() + 1) < _SMALL else None
    for strength in STRENGTHS:
        model.set_params(C=strength)
        with warnings.catch_warnings(), threadpool_limits(threads):
            # With large C, classes that can be separated let weights grow without end; validation sees to that.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(x[train], classes[train])
        found = model.predict(x)
        hits = int((found[val] == classes[val]).sum())
        if hits > best:
            best, predicted = hits, found
    return predicted
