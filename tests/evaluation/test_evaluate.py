"""Both protocols give what scikit-learn and torch give on the same splits; bad input is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rlap.datasets import graph_splits, node_splits
from rlap.evaluation import evaluate
from rlap.evaluation.adam_probe import predict_by_adam
from rlap.evaluation.logistic_probe import predict_by_regression
from rlap.schur.seeds import derive_seed

SPLITS = {"node": node_splits, "graph": graph_splits}


def problem(rows=300, width=6, spread=1.0):
    generator = torch.Generator().manual_seed(1)
    labels = torch.randint(3, (rows,), generator=generator)
    x = torch.randn(3, width, generator=generator)[labels] + spread * torch.randn(rows, width, generator=generator)
    # Features of very different sizes, which only standardising makes comparable.
    return x * torch.logspace(-3, 3, width) + 5, labels


@pytest.mark.parametrize("level", ["node", "graph"])
def test_clean_is_the_best_of_a_grid_on_validation(level):
    x, labels = problem()
    found = evaluate(x, labels, level, splits=3, seed=5)
    rows, classes = x.double().numpy(), labels.numpy()
    for number, split in enumerate(SPLITS[level](labels, "clean", 3, seed=5)):
        train, val, test = split.train.numpy(), split.val.numpy(), split.test.numpy()
        grid = []
        for power in range(-4, 3):
            model = make_pipeline(StandardScaler(), LogisticRegression(C=10.0**power, max_iter=5000, tol=1e-6))
            model.fit(rows[train], classes[train])
            grid.append((model.score(rows[val], classes[val]), model))
        best = max(grid, key=lambda pair: pair[0])[1]
        # The grid above is fitted more tightly: a row on the border may change sides.
        assert found.accuracy[number] == pytest.approx(best.score(rows[test], classes[test]), abs=1.01 / len(test))
        f1 = f1_score(classes[test], best.predict(rows[test]), average="macro")
        assert found.macro_f1[number] == pytest.approx(f1, abs=0.05)
    assert np.array_equal(found.micro_f1, found.accuracy)
    assert found.mean() > 0.6


def test_of_equal_strengths_the_smallest_counts():
    random = np.random.default_rng(0)
    classes = np.arange(240) % 2
    split = node_splits(classes)[0]
    shift = np.linspace(1, 12, 8)
    x = random.normal(size=(240, 8)) + shift * classes[:, None]
    x[split.test] = shift / 2 + 3 * random.normal(size=(len(split.test), 8))  # where the models differ
    fitted = [
        make_pipeline(StandardScaler(), LogisticRegression(C=strength)).fit(x[split.train], classes[split.train])
        for strength in (1e-4, 1e2)
    ]
    weak, strong = (model.predict(x) for model in fitted)
    assert (weak == classes)[split.val].all()
    assert (strong == classes)[split.val].all()
    assert (weak != strong).any()
    assert np.array_equal(predict_by_regression(x, classes, split), weak)


@pytest.mark.parametrize("level", ["node", "graph"])
def test_paper_scores_the_test_part(level):
    x, labels = problem(rows=80)
    splits = SPLITS[level](labels, "paper", 2, seed=3)
    predicted = predict_by_adam(x, labels, splits, seeds=[derive_seed(3, view=number) for number in range(2)])
    expected = [
        float((row == labels)[split.test].double().mean()) for row, split in zip(predicted, splits, strict=True)
    ]
    assert evaluate(x, labels, level, "paper", splits=2, seed=3).accuracy == pytest.approx(expected)


@pytest.mark.parametrize("protocol", ["clean", "paper"])
def test_the_test_rows_do_not_enter_a_fit(protocol):
    """Whatever the test rows become, the predictions of all others stay."""
    x, labels = problem(rows=150)
    split = node_splits(labels, protocol, 1)[0]
    changed = x.clone()
    changed[split.test] = 1e3 * torch.randn(changed[split.test].shape, generator=torch.Generator().manual_seed(2))

    def predict(rows):
        if protocol == "paper":
            return predict_by_adam(rows, labels, [split], seeds=[0], epochs=200)[0]
        return torch.from_numpy(predict_by_regression(rows.numpy(), labels.numpy(), split))

    others = torch.cat([split.train, split.val])
    assert torch.equal(predict(changed)[others], predict(x)[others])
    assert not torch.equal(predict(changed)[split.test], predict(x)[split.test])


@pytest.mark.parametrize("protocol", ["clean", "paper"])
def test_labels_may_be_any_integers_and_the_embedding_an_array(protocol):
    x, labels = problem(rows=100)
    expected = evaluate(x, labels, "graph", protocol, splits=1)
    renamed = torch.tensor([-4, 7, 100])[labels]
    assert np.array_equal(evaluate(x.numpy(), renamed.numpy(), "graph", protocol, splits=1).accuracy, expected.accuracy)


def test_chance_level_of_an_embedding_that_says_nothing():
    labels = torch.arange(1000) % 2
    x = torch.randn(1000, 5, generator=torch.Generator().manual_seed(0))
    # One split tests 800 rows: a standard deviation of 0.018.
    assert evaluate(x, labels, "node", splits=1).mean() == pytest.approx(0.5, abs=0.09)


def test_bad_input_is_refused():
    x, labels = problem(rows=40)
    broken = x.clone()
    broken[3, 2] = float("nan")
    with pytest.raises(ValueError, match=r"the embedding must be finite \(got nan at row 3, 2\)"):
        evaluate(broken, labels, "node")
    with pytest.raises(ValueError, match=r"must be real of shape \(rows, width\) \(got \(40,\)\)"):
        evaluate(x[:, 0], labels, "node")
    with pytest.raises(
        ValueError, match=r"labels must be 40 integers, one for each row \(got int64 of shape \(39,\)\)"
    ):
        evaluate(x, labels[:-1], "node")
    with pytest.raises(ValueError, match=r"labels must be 40 integers.*\(got float32"):
        evaluate(x, labels.float(), "node")
    with pytest.raises(ValueError, match=r"at least two classes \(got 1\)"):
        evaluate(x, torch.zeros_like(labels), "node")
    with pytest.raises(ValueError, match=r"every class must have at least 10 members.*\(got 1 of class 3\)"):
        evaluate(x, torch.where(torch.arange(40) == 0, 3, labels * 0 + torch.arange(40) % 2), "graph")
    with pytest.raises(ValueError, match=r'level must be "node" or "graph" \(got \'edge\'\)'):
        evaluate(x, labels, "edge")
    with pytest.raises(ValueError, match=r'protocol must be "clean" or "paper" \(got \'text\'\)'):
        evaluate(x, labels, "node", "text")


def test_validation_is_scored_where_it_is():
    random = np.random.default_rng(0)
    labels = random.integers(0, 3, 300)
    table = np.eye(3)[labels] + random.normal(size=(300, 3))
    splits = node_splits(labels, "clean", 3, seed=3)
    predicted = [predict_by_regression(table, labels, split) for split in splits]
    for part in ("val", "test"):
        rows = [getattr(split, part).numpy() for split in splits]
        wanted = [(one[at] == labels[at]).mean() for one, at in zip(predicted, rows, strict=True)]
        found = evaluate(table, labels, "node", splits=3, seed=3, part=part)
        np.testing.assert_allclose(found.accuracy, wanted, rtol=1e-12)
    with pytest.raises(ValueError, match='part must be "test" or "val"'):
        evaluate(table, labels, "node", part="train")
