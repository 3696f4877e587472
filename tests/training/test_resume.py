"""A run that is killed and resumed ends with the numbers of one that was not."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from rlap.training import TrainConfig, train
from rlap.training.checkpoint import load_state, save_state
from tests.disks import filled, small_disk
from tests.training.halfway import CONFIG, FIRST, flip, leave_halfway, resumed
from tests.training.standin import graphs, make, nodes
from tests.training.test_train import KINDS, weights

ROOT = Path(__file__).parents[2]

VICTIM = """
import sys, time
import torch
from pathlib import Path
from rlap.training import TrainConfig, train
from tests.training.halfway import CONFIG, FIRST, flip, leave_halfway, resumed
from tests.training.standin import graphs, make, nodes

dataset = {"node": nodes, "graph": graphs}[sys.argv[1]]()
config = TrainConfig(lr=1e-2, epochs=40, patience=15, batch_size=4, protocol=sys.argv[2])

def slowly(epoch):
    time.sleep(0.02)
    print(epoch.number, flush=True)

train(make(dataset), dataset, config, checkpoint=Path(sys.argv[3]), resume=True, checkpoint_seconds=0, progress=slowly)
"""


def start(*words):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-c", VICTIM, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)


def kill_after(process, epoch):
    for line in process.stdout:
        if int(line) >= epoch:
            break
    process.send_signal(signal.SIGKILL)
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL


@pytest.mark.parametrize(("kind", "protocol"), [("node", "clean"), ("graph", "paper")])
def test_killed_and_resumed(tmp_path, kind, protocol):
    path = tmp_path / "run.pt"
    dataset = KINDS[kind]()
    config = TrainConfig(lr=1e-2, epochs=40, patience=15, batch_size=4, protocol=protocol)
    whole = make(dataset)
    expected = train(whole, dataset, config)
    assert expected.epochs > 12

    kill_after(start(kind, protocol, path), 9)
    assert 9 <= len(load_state(path)["standing"]["losses"]) < expected.epochs
    method = make(dataset, seed=1)  # whatever it starts from, the checkpoint counts
    result = train(method, dataset, config, checkpoint=path, resume=True)
    assert result.losses == expected.losses
    assert (result.best_epoch, result.stopped) == (expected.best_epoch, expected.stopped)
    assert torch.equal(weights(method), weights(whole))

    again = make(dataset, seed=2)
    assert train(again, dataset, config, checkpoint=path, resume=True) == result
    assert torch.equal(weights(again), weights(whole))


@pytest.mark.parametrize("interrupted", range(1, 6))
def test_any_epoch_can_be_the_last(tmp_path, interrupted):
    """Interrupt after each epoch in turn; clean graph sets, whose order has to go on too."""
    dataset, config = graphs(), TrainConfig(lr=1e-2, epochs=6, batch_size=4)
    whole = make(dataset)
    expected = train(whole, dataset, config, evaluate=lambda _: 0.5, evaluate_every=2)

    def interrupt(epoch):
        if epoch.number == interrupted:
            raise KeyboardInterrupt

    path, method = tmp_path / "deep" / "run.pt", make(dataset)
    more = {"checkpoint": path, "checkpoint_seconds": 0, "evaluate": lambda _: 0.5, "evaluate_every": 2}
    with pytest.raises(KeyboardInterrupt):
        train(method, dataset, config, progress=interrupt, **more)
    result = train(make(dataset, seed=7), dataset, config, resume=True, **more)
    assert result.losses == expected.losses
    assert result.accuracies == expected.accuracies


def test_checkpoints_come_with_time_and_at_the_end(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(
        "rlap.training.state.save_state", lambda path, state: written.append(len(state["standing"]["losses"]))
    )
    clock = iter(range(0, 10_000, 7))
    monkeypatch.setattr("rlap.training.between.monotonic", lambda: next(clock))
    train(make(nodes()), nodes(), TrainConfig(epochs=8), checkpoint=tmp_path / "run.pt", checkpoint_seconds=20)
    assert written == [3, 6, 8]  # the clock moves by 7 an epoch, and once more when a checkpoint is written


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    path, dataset = tmp_path / "run.pt", nodes()
    config = TrainConfig(epochs=2)
    train(make(dataset), dataset, config, checkpoint=path)
    with pytest.raises(ValueError, match=r"the checkpoint must be new, or ask to resume from it"):
        train(make(dataset), dataset, config, checkpoint=path)
    with pytest.raises(ValueError, match=r"is of another run: its lr was 0.001, not 0.5"):
        train(make(dataset), dataset, TrainConfig(epochs=2, lr=0.5), checkpoint=path, resume=True)
    with pytest.raises(ValueError, match=r"its data was 'nodes', not 'graphs'"):
        train(make(graphs()), graphs(), config, checkpoint=path, resume=True)
    for content in (b"", b"no checkpoint", b"PK\x03\x04"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"the checkpoint must be a file that training wrote"):
            train(make(dataset), dataset, config, checkpoint=path, resume=True)


class Payload:
    """Would run on being read, if anything were."""

    def __reduce__(self):
        return os.system, ("exit 1",)


def test_a_checkpoint_cannot_run_anything(tmp_path, monkeypatch):
    save_state(tmp_path / "run.pt", {"identity": Payload()})  # with a digest, as a forger can
    with pytest.raises(ValueError, match="training wrote") as refused:
        load_state(tmp_path / "run.pt")
    assert "posix.system" in str(refused.value.__cause__)  # was seen, and refused
    save_state(tmp_path / "run.pt", [1, 2])
    with pytest.raises(ValueError, match="training wrote"):
        load_state(tmp_path / "run.pt")


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "run.pt"
    save_state(path, {"epoch": 1})

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(OSError, match="No space left"):
        save_state(path, {"epoch": 2})
    assert load_state(path) == {"epoch": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_leftovers_of_a_killed_write_are_removed(tmp_path):
    path, dataset = tmp_path / "run.pt", nodes()
    train(make(dataset), dataset, TrainConfig(epochs=1), checkpoint=path)
    (tmp_path / ".run.pt.0123456789ab.part").write_bytes(b"half")
    (tmp_path / ".other.pt.0123456789ab.part").write_bytes(b"half")
    train(make(dataset), dataset, TrainConfig(epochs=1), checkpoint=path, resume=True)
    assert {found.name for found in tmp_path.iterdir()} == {"run.pt", ".other.pt.0123456789ab.part"}


@pytest.fixture(scope="module")
def halfway(tmp_path_factory):
    return leave_halfway(tmp_path_factory.mktemp("some") / "halfway")


def test_no_flipped_bit_and_no_lost_byte_passes(halfway, tmp_path):
    good = (halfway.folder / "run.pt").read_bytes()
    chance, path = random.Random(0), tmp_path / "run.pt"
    for bit in [*range(8 * 60), *chance.sample(range(8 * len(good)), 1000)]:
        path.write_bytes(good)
        flip(path, bit)
        with pytest.raises(ValueError, match="the checkpoint must"):
            load_state(path)
    for length in [*range(60), *chance.sample(range(len(good)), 100)]:
        path.write_bytes(good[:length])
        with pytest.raises(ValueError, match="the checkpoint must"):
            load_state(path)
    path.write_bytes(good + b"\0")
    with pytest.raises(ValueError, match="the checkpoint must"):
        load_state(path)


@pytest.mark.parametrize("names", FIRST)
@pytest.mark.parametrize("bit", [3, 8 * 30, 8 * 1000])  # of the mark, the digest and the content
def test_a_damaged_checkpoint_is_set_aside_and_changes_nothing(halfway, tmp_path, caplog, names, bit):
    shutil.copytree(halfway.folder, tmp_path, dirs_exist_ok=True)
    for name in names:
        flip(tmp_path / name, bit)
    damaged = {name: (tmp_path / name).read_bytes() for name in names}
    assert resumed(tmp_path / "run.pt", halfway) == FIRST[names]
    if names == ("run.pt.previous",):
        return  # nobody looked at it
    for name, content in damaged.items():
        assert (tmp_path / f"{name}.damaged").read_bytes() == content
    assert [name for name in names if f"it is now {name}.damaged" in caplog.text] == [*names]


def test_a_run_killed_between_two_names_goes_on_from_the_one_before(halfway, tmp_path):
    shutil.copytree(halfway.folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "run.pt").unlink()
    with pytest.raises(ValueError, match="the checkpoint must be new, or ask to resume"):
        train(make(graphs()), graphs(), CONFIG, checkpoint=tmp_path / "run.pt")
    assert resumed(tmp_path / "run.pt", halfway) == 4


def write_until(limit, path):
    """Train with a checkpoint after every epoch, whose disk is full from the third on."""

    def fill(epoch):
        if epoch.number == 2:
            limit()

    train(make(graphs()), graphs(), CONFIG, checkpoint=path, checkpoint_seconds=0, progress=fill)


def test_a_full_disk_is_said_and_the_run_goes_on_afterwards(halfway, tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        full = filled(disk)
        with pytest.raises(OSError, match=r"No space left on device.*the last one stays.*run\.pt"):
            write_until(full.__enter__, disk / "run.pt")
        kept = {path.name for path in disk.iterdir()} - {"ballast"}
        assert kept == {"run.pt", "run.pt.previous"}
        assert len(load_state(disk / "run.pt")["standing"]["losses"]) == 2
        full.__exit__(None, None, None)
        assert resumed(disk / "run.pt", halfway) == 3


def test_a_limit_on_files_is_said_and_the_run_goes_on_afterwards(halfway, tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    path = tmp_path / "run.pt"
    try:
        with pytest.raises(OSError, match=r"File too large.*the last one stays"):
            write_until(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, before[1])), path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert {one.name for one in tmp_path.iterdir()} == {"run.pt", "run.pt.previous"}
    assert resumed(path, halfway) == 3


def test_a_checkpoint_of_before_there_were_digests_is_refused(halfway, tmp_path):
    torch.save(load_state(halfway.folder / "run.pt"), tmp_path / "run.pt")
    before = (tmp_path / "run.pt").read_bytes()
    with pytest.raises(ValueError, match="a file that training wrote, with a digest"):
        train(make(graphs()), graphs(), CONFIG, checkpoint=tmp_path / "run.pt", resume=True)
    assert (tmp_path / "run.pt").read_bytes() == before
