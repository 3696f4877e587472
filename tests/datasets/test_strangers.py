"""Raw files of a stranger: nothing in them runs, and nothing but the published ones is read unasked."""

from __future__ import annotations

import functools
import hashlib
import http.server
import os
import pickle
import shutil
import ssl
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from torch_geometric.datasets import Planetoid, TUDataset
from typer.testing import CliRunner

from rlap import datasets
from rlap.cli import build_app
from rlap.datasets.raw_files import published_digests
from tests.datasets.raw_files import publish, write_all, write_npz, write_planetoid, write_tu


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch, tmp_path):
    monkeypatch.delenv("RLAP_DATA", raising=False)
    monkeypatch.setenv("RLAP_CACHE", str(tmp_path / "cache"))


class Command:
    """Runs a command when it is unpickled."""

    def __init__(self, marker: Path):
        self.marker = marker

    def __reduce__(self):
        return os.system, (f"touch {self.marker}",)


@pytest.mark.parametrize("part", ["allx", "graph", "ty"])
def test_a_forged_pickle_runs_nothing(part, tmp_path):
    write_planetoid(tmp_path / "data")
    marker, file = tmp_path / "marker", tmp_path / f"data/Cora/raw/ind.cora.{part}"
    file.write_bytes(pickle.dumps(Command(marker)))
    with pytest.raises(ValueError, match=r"lists alone \(it asks for posix\.system\)"):
        datasets.load("Cora", tmp_path / "data", trust_data=True)
    assert not marker.exists()
    pickle.loads(file.read_bytes())  # it would have
    assert marker.exists()


# Functions of the packages that a pickle may come from, and that do more than an array does.
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("numpy.testing._private.utils", "runstring"),
        ("numpy", "load"),
        ("numpy", "memmap"),
        ("numpy._core.numeric", "ones"),
        ("scipy.io", "mmwrite"),
        ("collections", "namedtuple"),
        ("collections", "abc"),
        ("builtins", "eval"),
        ("builtins", "getattr"),
    ],
)
def test_the_unpickler_knows_no_other_names(module, name, tmp_path):
    write_planetoid(tmp_path)
    forged = b"\x80\x04" + b"".join(b"\x8c" + bytes([len(word)]) + word.encode() for word in (module, name)) + b"\x93."
    (tmp_path / "Cora/raw/ind.cora.graph").write_bytes(forged)
    with pytest.raises(ValueError, match=f"it asks for {module}.{name}"):
        datasets.load("Cora", tmp_path, trust_data=True)


def broken_matrix(rows):
    matrix = sp.csr_matrix(rows)
    matrix.indptr = matrix.indptr.copy()
    matrix.indptr[1] = -5
    return matrix


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("allx", broken_matrix(np.eye(590, 120)), "indptr must not fall"),
        ("allx", np.ones(4), "allx must be a matrix"),
        ("allx", sp.csr_matrix(np.eye(589, 120)), "a label for each of 599"),
        ("ally", np.ones((590, 0)), "column for every class"),
        ("graph", {0: [10**6]}, r"nodes in \[0, 600\) \(got 1000000\)"),
        ("graph", [1, 2], "list of neighbours"),
        ("graph", {0: 1}, "list of neighbours"),
    ],
)
def test_pickles_that_do_not_fit_together(part, value, message, tmp_path):
    write_planetoid(tmp_path)
    (tmp_path / f"Cora/raw/ind.cora.{part}").write_bytes(pickle.dumps(value))
    with pytest.raises(ValueError, match=message):
        datasets.load("Cora", tmp_path, trust_data=True)


def test_an_array_with_objects_is_no_data_set(tmp_path):
    write_npz(tmp_path, "CS", "ms_academic_cs.npz")
    path = tmp_path / "CS/raw/ms_academic_cs.npz"
    arrays = dict(np.load(path))
    marker = tmp_path / "marker"
    np.savez(path, **(arrays | {"labels": np.array([Command(marker)], dtype=object)}))
    with pytest.raises(ValueError, match="labels holds objects"):
        datasets.load("CS", tmp_path, trust_data=True)
    assert not marker.exists()
    np.savez(path, **(arrays | {"adj_indptr": np.array([0, 10**6] + [2] * 39)}))
    with pytest.raises(ValueError, match="indptr must not fall"):
        datasets.load("CS", tmp_path, trust_data=True)
    np.savez(path, **{key: value for key, value in arrays.items() if key != "adj_indptr"})
    with pytest.raises(ValueError, match="must hold an array adj_indptr"):
        datasets.load("CS", tmp_path, trust_data=True)


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("A", "1, 2\n1, 1000000000000\n", "got 1000000000000 in MUTAG"),
        ("A", "0, 1\n", r"in \[1, \d+\] \(got 0 in MUTAG"),
        ("graph_indicator", "1\n2\n100000000000\n", "must name 12 graphs, one a label"),
        ("graph_indicator", "0\n1\n", "positive number a line"),
        ("graph_indicator", "x\n", "could not convert"),
    ],
)
def test_text_that_does_not_fit_together(part, text, message, tmp_path):
    write_tu(tmp_path, "MUTAG", labelled=True)
    (tmp_path / f"MUTAG/raw/MUTAG_{part}.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        datasets.load("MUTAG", tmp_path, trust_data=True)


def test_one_label_does_not_decide_memory(tmp_path):
    write_tu(tmp_path, "MUTAG", labelled=True)
    path = tmp_path / "MUTAG/raw/MUTAG_node_labels.txt"
    path.write_text(path.read_text().replace("2", "2000000000000"))
    with pytest.raises(MemoryError, match="GiB"):
        datasets.load("MUTAG", tmp_path, trust_data=True)


def test_every_file_of_every_set_has_a_digest():
    from rlap.datasets.registry import _FILES

    listed = published_digests()
    for source in _FILES.values():
        for folder in source.folders:
            assert all(f"{folder}/raw/{file}" in listed for file in source.files(folder))
    assert len(listed) == len(set(listed.values())) + 4  # PROTEINS_full has four of PROTEINS' files
    assert all(len(digest) == 64 for digest in listed.values())


REAL = os.environ.get("RLAP_DATA")


@pytest.mark.skipif(REAL is None, reason="needs the real data sets in RLAP_DATA")
def test_the_digests_are_those_of_the_real_files():
    for path, digest in published_digests().items():
        assert hashlib.sha256(Path(REAL, path).read_bytes()).hexdigest() == digest


CHANGED = {
    "CORA": "Cora/raw/ind.cora.graph",
    "PUBMED": "PubMed/raw/ind.pubmed.allx",
    "AMAZON-PHOTO": "Photo/raw/amazon_electronics_photo.npz",
    "COAUTHOR-PHY": "Physics/raw/ms_academic_phy.npz",
    "MUTAG": "MUTAG/raw/MUTAG_node_labels.txt",
    "IMDB-MULTI": "IMDB-MULTI/raw/IMDB-MULTI_A.txt",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    root = tmp_path / "data"
    write_all(root)
    publish(root, monkeypatch)
    return root


@pytest.mark.parametrize("name", CHANGED)
def test_another_file_is_refused_by_name_and_digests(name, folder):
    datasets.load(name, folder)
    path = folder / CHANGED[name]
    expected = published_digests()[CHANGED[name]]
    before = path.read_bytes()
    path.write_bytes(before + b"\n")
    found = hashlib.sha256(before + b"\n").hexdigest()
    with pytest.raises(ValueError, match="is not the published file") as refused:
        datasets.load(name, folder)
    for word in (str(path), expected, found, "--trust-data"):
        assert word in str(refused.value)
    if not name.startswith(("AMAZON", "COAUTHOR")):  # bytes behind the end of a zip file make it another one
        trusted = datasets.load(name, folder, trust_data=True)
        assert trusted.checksum == datasets.load(name, datasets.DataFolder(folder, trusted=True)).checksum


def test_line_ends_of_windows_are_the_same_text(folder):
    expected = datasets.load("MUTAG", folder).checksum
    for path in (folder / "MUTAG/raw").iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert datasets.load("MUTAG", folder).checksum == expected


def test_an_unpacked_folder_with_more_in_it_is_fine(folder):
    (folder / "MUTAG/raw/README.txt").write_text("the collection's own note")
    assert len(datasets.load("MUTAG", folder).graphs) == 12


# Every command that reads data sets refuses the small stand-ins for what they are, and reads them with --trust-data.
SMALL = ["--set", "hidden=8", "--set", "epochs=1", "--quiet"]
COMMANDS = {
    "train": ["train", "grace", "--dataset", "Cora", "--splits", "1", *SMALL],
    "reproduce": ["reproduce", "grace", "-d", "Cora", "-a", "rLap", "--seeds", "1", "--protocol", "clean", *SMALL],
    "dry run": ["reproduce", "graphcl", "-d", "MUTAG", "--dry-run"],
    "bench augmentors": ["bench", "augmentors", "-d", "MUTAG", "-a", "rLap", "--runs", "1"],
    "bench ppr": ["bench", "ppr", "-d", "CORA", "--gammas", "0.5", "--runs", "1", "--columns", "4"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_trust_data(name, tmp_path, monkeypatch):
    write_tu(tmp_path, "MUTAG", labelled=True)
    write_planetoid(tmp_path)
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(build_app(), [*COMMANDS[name], "--data", "."])
    assert refused.exit_code != 0
    assert "is not the published file" in refused.output.replace("\n", " ")
    assert "Traceback" not in refused.output
    taken = CliRunner().invoke(build_app(), [*COMMANDS[name], "--data", ".", "--trust-data"])
    assert "is not the published file" not in taken.output
    assert taken.exit_code == 0, taken.output


CERTIFICATE = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtKaL0qaDs+k0I6lU
ugm4y/2SGUmzTRQSH9ksLRZizxmhRANCAARxYKSd/TFEOflRff5HT9Gtd/Rprm/3
RSSEEMY6eis9ntaM/Yn40q0o40urBL2/iOHT9n5VkKuyjOXoW2++kBc1
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUaUWZDzpP+TmS5+CZvyqwyEUyVdYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExODExMTk0MVoYDzIxMjYxMDI1
MTExOTQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARxYKSd/TFEOflRff5HT9Gtd/Rprm/3RSSEEMY6eis9ntaM/Yn40q0o
40urBL2/iOHT9n5VkKuyjOXoW2++kBc1o2kwZzAdBgNVHQ4EFgQUTZ56Wft5SRLi
no20gLSXpIYsWyQwHwYDVR0jBBgwFoAUTZ56Wft5SRLino20gLSXpIYsWyQwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgF9zCjB+BTCCr9L5UVUdS46FdjvbhefxvABwOUfwBtp4CIQDIP5WVig48
O860C+HolRDbT+YFcXJO5+GChPo1wBeJtA==
-----END CERTIFICATE-----
"""  # of localhost, signed by itself


@pytest.fixture
def https(tmp_path):
    """A server with a certificate that nobody has signed."""
    root = tmp_path / "server"
    root.mkdir()
    (tmp_path / "cert.pem").write_text(CERTIFICATE)
    handler_class = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    handler = functools.partial(handler_class, directory=root)
    server = http.server.ThreadingHTTPServer(("localhost", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield root, f"https://localhost:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_server_without_a_valid_certificate_is_refused(https, folder, tmp_path, monkeypatch):
    root, url = https
    for file in (folder / "Cora/raw").iterdir():
        shutil.copy(file, root)
    monkeypatch.setattr(Planetoid, "url", url)
    for trusted in (False, True):  # trust in data is no trust in servers
        with pytest.raises(OSError, match=r"ind\.cora.*CERTIFICATE_VERIFY_FAILED"):
            datasets.load("Cora", download=True, trust_data=trusted)
    assert not list((tmp_path / "cache/datasets").iterdir())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    assert datasets.load("Cora", download=True).checksum == datasets.load("Cora", folder).checksum


@pytest.mark.parametrize("kept", [False, True])
def test_a_download_is_checked_before_it_is_kept(kept, folder, tmp_path, monkeypatch):
    server = tmp_path / "server"
    server.mkdir()
    monkeypatch.setattr(TUDataset, "url", server.as_uri())
    with zipfile.ZipFile(server / "MUTAG.zip", "w") as archive:
        for file in (folder / "MUTAG/raw").iterdir():
            text = file.read_text()
            archive.writestr(f"MUTAG/{file.name}", text + "1\n" if file.name == "MUTAG_edge_labels.txt" else text)
        archive.writestr("MUTAG/../../escaped.txt", "somewhere else")
    if kept:
        assert len(datasets.load("MUTAG", download=True, trust_data=True).graphs) == 12
    else:
        with pytest.raises(ValueError, match=r"MUTAG_edge_labels\.txt is not the published file"):
            datasets.load("MUTAG", download=True)
        assert not list((tmp_path / "cache/datasets").iterdir())
    assert not list(tmp_path.rglob("escaped.txt"))


def test_a_damaged_zip_is_said(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(TUDataset, "url", tmp_path.as_uri())
    (tmp_path / "MUTAG.zip").write_bytes(b"PK not a zip")
    with pytest.raises(OSError, match=r"MUTAG\.zip is damaged"):
        datasets.load("MUTAG", download=True)


def test_nothing_is_loaded_with_pickle_elsewhere():
    """`weights_only` and `allow_pickle` are said wherever a file is loaded."""
    root = Path(datasets.__file__).parents[1]
    for path in root.rglob("*.py"):
        text = path.read_text()
        for call, needed in (("torch.load(", "weights_only=True"), ("np.load(", "allow_pickle=False")):
            for part in text.split(call)[1:]:
                assert needed in part.split("\n")[0], path
