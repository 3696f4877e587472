"""Keys: what they depend on, and what not."""

from __future__ import annotations

import dataclasses
import hashlib
import json

import pytest

from rlap.experiments.job import Job, canonical_json, job_key
from rlap.experiments.leak import leak_job
from rlap.experiments.method_job import config_of, method_job
from rlap.experiments.revisions import results_version
from rlap.experiments.spectral import spectral_job

JOB = Job("method", "CORA", "grace", "rLap", "clean", 1, {"train": {"lr": 0.1, "epochs": 3}, "splits": 10})
OTHERS = {
    "kind": "spectral",
    "dataset": "PUBMED",
    "method": "mvgrl",
    "augmentor": "EdgeDropping",
    "protocol": "paper",
    "seed": 2,
    "settings": {"train": {"lr": 0.1, "epochs": 4}, "splits": 10},
}


@pytest.mark.parametrize("field", OTHERS)
def test_every_field_counts(field):
    assert job_key(dataclasses.replace(JOB, **{field: OTHERS[field]}), "ab") != job_key(JOB, "ab")


def test_data_and_version_count_and_the_order_of_settings_does_not():
    key = job_key(JOB, "ab", 1)
    assert len({key, job_key(JOB, "ac", 1), job_key(JOB, "ab", 2)}) == 3
    turned = dataclasses.replace(JOB, settings={"splits": 10, "train": {"epochs": 3, "lr": 0.1}})
    assert job_key(turned, "ab", 1) == key
    assert len(OTHERS) == len(dataclasses.fields(Job))


def test_keys_stay_what_they_are():
    """A key that changes by accident would make every store worthless."""
    text = (
        '{"data":"ab","job":{"augmentor":"rLap","dataset":"CORA","kind":"method","method":"grace","protocol":"clean",'
        '"seed":1,"settings":{"splits":10,"train":{"epochs":3,"lr":0.1}}},"version":1}'
    )
    assert job_key(JOB, "ab", 1) == hashlib.sha256(text.encode()).hexdigest()[:32]


def test_a_job_survives_text():
    for job in (JOB, method_job("bgrl", "MUTAG", "WalkSchur", "paper", 3), spectral_job("Cora", "rLap-deg-asc", 2)):
        again = Job.from_json(job.to_json())
        assert again == job
        assert job_key(again, "ab") == job_key(job, "ab")
    with pytest.raises(ValueError, match="Out of range"):
        canonical_json({"loss": float("nan")})


def test_a_jobs_settings_are_the_whole_configuration():
    job = method_job("mvgrl", "Photo", "PPRDiffusion", "paper", 4, ["epochs=7", "options={alpha = 0.1}"], splits=3)
    config = config_of(Job.from_json(job.to_json()))
    assert json.loads(json.dumps(config.to_dict())) == job.settings
    assert (config.dataset, config.protocol, config.splits) == ("AMAZON-PHOTO", "paper", 3)
    assert (config.method.method, config.method.augmentor, config.method.gamma2) == ("mvgrl", "PPRDiffusion", 0.3)
    assert (config.train.seed, config.train.epochs, config.train.lr) == (4, 7, 1e-4)


def test_features_are_those_of_the_protocol():
    """In the configuration itself, so that they are part of the key."""
    wanted = {("bgrl", "IMDB-BINARY"): "constant", ("bgrl", "MUTAG"): "default", ("grace", "CORA"): "normalized"}
    for (method, dataset), features in wanted.items():
        assert method_job(method, dataset, "rLap", "paper", 0).settings["features"] == features
        assert method_job(method, dataset, "rLap", "clean", 0).settings["features"] == "default"
    asked = method_job("bgrl", "IMDB-BINARY", "rLap", "paper", 0, ["features=default"])
    assert asked.settings["features"] == "default"


# Digests of configurations as they were before loaders came. Stores are full of them.
STORED = {
    ("grace", "Cora", "rLap", "clean"): "8fefc98c493c2aa2879956ad8b48d567",
    ("bgrl", "MUTAG", "WalkSchur", "paper"): "47f94244b8db064b3438c48d5085cf75",
}


@pytest.mark.parametrize("named", STORED)
def test_new_settings_leave_old_keys_alone(named):
    job = method_job(*named, seed=0)
    assert job_key(job, "ab", 1) == STORED[named]
    assert not {"loader", "pieces"} & set(job.settings["train"])


def test_versions_are_raised_for_the_jobs_that_a_change_concerns():
    designs = ("grace", "graphcl", "mvgrl", "bgrl")
    sets = {"grace": "Cora", "mvgrl": "Cora", "graphcl": "MUTAG", "bgrl": "MUTAG"}
    found = {
        (design, protocol): results_version(method_job(design, sets[design], "rLap", protocol, seed=0))
        for design in designs
        for protocol in ("clean", "paper")
    }
    assert {place: version for place, version in found.items() if version != 1} == {
        ("mvgrl", "paper"): 2,
        ("bgrl", "clean"): 2,
        ("bgrl", "paper"): 3,
    }
    assert results_version(leak_job("MUTAG", "rLap", seed=0)) == 2
    assert results_version(JOB) == 1
    assert job_key(JOB, "ab") == job_key(JOB, "ab", 1)


def test_a_loader_is_part_of_the_key():
    whole = method_job("grace", "PubMed", "rLap", "clean", 0)
    loaded = [method_job("grace", "PubMed", "rLap", "clean", 0, [f"loader={one}"]) for one in ("schur", "induced")]
    sized = method_job("grace", "PubMed", "rLap", "clean", 0, ["loader=schur", "batch_size=2048"])
    assert len({job_key(job, "ab") for job in (whole, *loaded, sized)}) == 4
    again = config_of(Job.from_json(sized.to_json()))
    assert (again.train.loader, again.train.batch_size, again.train.pieces) == ("schur", 2048, None)
    assert config_of(loaded[0]).train.batch_size == 4096
    with pytest.raises(ValueError, match="a loader is for node sets, and MUTAG is a set of graphs"):
        method_job("bgrl", "MUTAG", "rLap", "clean", 0, ["loader=schur"])
    with pytest.raises(ValueError, match=r"dgi contrasts nodes with one graph \(got 2 pieces\)"):
        method_job("dgi", "Cora", "rLap", "clean", 0, ["loader=schur", "pieces=2"])
