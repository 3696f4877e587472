"""Configurations: who wins, what is refused, and that the paper's numbers are the paper's."""

from __future__ import annotations

import tomllib

import pytest

from rlap import datasets, methods
from rlap.cli.train_report import to_toml
from rlap.experiments import RunConfig, defaults, make_config, make_parts
from rlap.methods import MethodConfig
from rlap.training import TrainConfig

PAPER = {  # read from the tables of the paper's appendix by eye
    ("grace", "CORA"): {"tau": 0.2, "gamma1": 0.5, "gamma2": 0.4, "layers": 2, "hidden": 256, "lr": 1e-4},
    ("grace", "COAUTHOR-PHY"): {"tau": 0.4, "gamma1": 0.5, "gamma2": 0.5, "layers": 2, "hidden": 128, "lr": 1e-2},
    ("mvgrl", "PUBMED"): {"gamma1": 0.1, "gamma2": 0.3, "layers": 2, "hidden": 512, "lr": 1e-3},
    ("graphcl", "NCI1"): {"tau": 0.2, "gamma1": 0.2, "gamma2": 0.3, "layers": 2, "hidden": 128, "lr": 1e-3},
    ("bgrl", "PROTEINS"): {"gamma1": 0.1, "gamma2": 0.1, "layers": 2, "hidden": 256, "lr": 1e-2},
}


@pytest.mark.parametrize("pair", PAPER)
def test_the_papers_numbers_ship(pair):
    assert defaults(*pair) == {**PAPER[pair], "weight_decay": 1e-5}


@pytest.mark.parametrize(
    ("method", "dataset", "features"),
    [("grace", "Cora", "normalized"), ("bgrl", "IMDB-MULTI", "constant"), ("graphcl", "MUTAG", "default")],
)
def test_features_as_in_the_scripts(method, dataset, features):
    assert make_config(method, dataset, protocol="paper").features == features
    assert make_config(method, dataset).features == "default"
    assert make_config(method, dataset, protocol="paper", features="constant").features == "constant"


def test_every_pair_of_the_paper_makes_a_configuration():
    pairs = [("node", ("grace", "mvgrl")), ("graph", ("graphcl", "bgrl"))]
    made = [
        make_config(method, name)
        for level, designs in pairs
        for method in designs
        for name in datasets.names(level)
        if name not in ("digits", "families")
    ]
    assert len(made) == 20
    assert all(defaults(one.method.method, one.dataset)["lr"] == one.train.lr for one in made)
    assert defaults("dgi", "CORA") == defaults("grace", "digits") == {}


def test_who_wins(tmp_path):
    """Classes < paper < file < words < what is given."""
    file = tmp_path / "run.toml"
    file.write_text("splits = 3\nlr = 0.5\n[method]\ngamma1 = 0.9\ntau = 0.7\n[train]\nepochs = 7\npatience = 8\n")
    config = make_config("grace", "Cora", file=file, words=["train.epochs=9", "tau=0.8"], tau=0.6, seed=None)
    assert config == RunConfig(
        "CORA",
        MethodConfig("grace", gamma1=0.9, gamma2=0.4, tau=0.6),
        TrainConfig(lr=0.5, epochs=9, patience=8),
        splits=3,
    )
    file.write_text('dataset = "MUTAG"\nprotocol = "paper"\n[method]\nmethod = "bgrl"\n')
    other = make_config(file=file)
    assert (other.dataset, other.method.method, other.method.hidden) == ("MUTAG", "bgrl", 128)
    assert other.protocol == other.method.protocol == other.train.protocol == "paper"


def test_a_configuration_survives_a_file(tmp_path):
    words = ["augmentor=rLap-deg-desc", "options={symmetrize = true}", "weighted=false", "lr=3e-05"]
    config = make_config("grace", "Cora", words=words, protocol="paper", seed=2**40)
    path = tmp_path / "run.toml"
    path.write_text(to_toml(config.to_dict()))
    assert tomllib.loads(path.read_text())["train"]["seed"] == 2**40
    assert make_config(file=path) == config


REFUSED = {
    "key": (["hiden=3"], "'hiden' is no setting; the nearest is 'hidden'"),
    "key in a section": (["train.tau=3"], "'tau' is no setting; the nearest is"),
    "no value": (["lr"], "a setting must look like key=value (got 'lr')"),
    "word for number": (["lr=fast"], "lr must be a number (got 'fast')"),
    "broken number": (["hidden=1.5"], "hidden must be a whole number (got 1.5)"),
    "bool for number": (["epochs=true"], "epochs must be a whole number (got True)"),
    "number for bool": (["weighted=1"], "weighted must be true or false or absent (got 1)"),
    "rule": (["gamma1=1.5"], "gamma1 must lie in [0, 1] (got 1.5)"),
    "protocol": (["protocol=dirty"], "protocol must be clean or paper (got 'dirty')"),
    "splits": (["splits=0"], "splits must be at least 1 (got 0)"),
    "level": (["method=graphcl"], "graphcl embeds graphs, and CORA has labelled nodes: take bgrl-l2l or dgi or grace"),
    "method": (["method=gracy"], "the nearest is 'grace'"),
    "dataset": (["dataset=Core"], "did you mean CORA?"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    words, rule = REFUSED[case]
    with pytest.raises(ValueError) as problem:  # noqa: PT011
        make_config(words=["dataset=Cora", *words])
    assert rule in str(problem.value)


def test_files_that_are_none(tmp_path):
    with pytest.raises(ValueError, match="a data set must be named"):
        make_config("grace")
    with pytest.raises(ValueError, match="the configuration must be a file"):
        make_config("grace", "Cora", file=tmp_path / "no.toml")
    (tmp_path / "bad.toml").write_text("lr = = 3")
    with pytest.raises(ValueError, match=r"bad.toml: a configuration must be TOML"):
        make_config("grace", "Cora", file=tmp_path / "bad.toml")


def test_parts_have_no_data_set():
    method, train = make_parts("GRACE", words=["lr=0.5", "protocol=paper"])
    assert (method, train) == (MethodConfig("grace", protocol="paper"), TrainConfig(lr=0.5, protocol="paper"))
    with pytest.raises(ValueError, match="'splits' is no setting"):
        make_parts("grace", words=["splits=3"])


def test_all_methods_have_a_level():
    assert {methods.level(name) for name in methods.names()} == {"node", "graph"}
