"""The page as a file: what is in it, and that it refers to nothing outside."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from typer.testing import CliRunner

from rlap.cli import build_app
from rlap.experiments.leak import leak_job
from rlap.experiments.method_job import method_job
from rlap.experiments.store import Store
from rlap.report.page import Cell, Notes, Section, Table, to_html, to_markdown
from rlap.report.page.html import POLICY
from rlap.report.report import write_report
from tests.report.stores import put, put_cell, scores


class Reader(HTMLParser):
    """Collects tags, attributes, and the rows of tables."""

    def __init__(self):
        super().__init__()
        self.tags, self.open, self.tables = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag in ("td", "th", "small"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data


def read(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


def test_html_has_the_numbers_of_the_store(report):
    folder, values = report
    first = read((folder / "report.html").read_text()).tables[0]
    assert first[0] == ["augmentor", "CORA", "AMAZON-PHOTO", "PUBMED", "COAUTHOR-CS", "COAUTHOR-PHY"]
    for row in first[1:]:
        for dataset, text in zip(first[0][1:], row[1:], strict=True):
            found = 100 * values["grace", dataset, row[0], "clean"]
            assert text == f"{found.mean():.2f} ± {found.std(ddof=1):.2f}"


def test_markdown_has_the_same_numbers_and_its_figures_exist(report):
    folder, values = report
    text = (folder / "report.md").read_text()
    for place in (("grace", "CORA", "rLap", "clean"), ("mvgrl", "PUBMED", "NodeDropping", "paper")):
        found = 100 * values[place]
        assert f"{found.mean():.2f} ± {found.std(ddof=1):.2f}" in text
    assert "— not run" in text
    assert "MemoryError: no more &lt;room>" in text
    named = set(re.findall(r'<img src="([^"]+)"', text))
    assert named == {f"figures/{path.name}" for path in (folder / "figures").iterdir()}
    assert {f"figures/spectral-CORA-{one}.svg" for one in ("sigma_max", "edges", "deviation", "bias")} < named
    assert {"figures/tradeoff-grace-CORA.svg", "figures/ranks-main-clean.svg"} < named


def test_html_refers_to_nothing_outside(report):
    text = (report[0] / "report.html").read_text()
    reader = read(text)
    policies = [a["content"] for tag, a in reader.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies == [POLICY]
    assert POLICY.startswith("default-src 'none'; img-src data:;")
    assert "'self'" not in POLICY
    assert not {tag for tag, _ in reader.tags} & {"link", "iframe", "object", "embed", "base", "form", "image", "audio"}
    for tag, attributes in reader.tags:
        for name, value in attributes.items():
            if name in ("src", "href", "xlink:href", "srcset", "data", "action", "poster"):
                assert value.startswith(("#", "data:")), (tag, name, value)
    assert "@import" not in text
    assert all(target.startswith("#") for target in re.findall(r"url\(\s*['\"]?([^)]*)", text))
    # What is left are names of XML's vocabularies, which nobody fetches.
    rest = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert not re.findall(r"https?://", rest)


def test_names_on_the_page_are_unique_and_every_reference_has_one(report):
    text = (report[0] / "report.html").read_text()
    names = [attributes["id"] for _, attributes in read(text).tags if "id" in attributes]
    assert len(names) == len(set(names))
    referred = re.findall(r'href="#([^"]+)"', text) + re.findall(r"url\(#([^)]+)\)", text)
    assert len(referred) > 100
    assert set(referred) <= set(names)


def test_the_same_store_gives_the_same_files(report, tmp_path):
    folder, _ = report
    write_report(folder.parent / "store.sqlite", tmp_path, folder.parent / "augmentors.csv")
    for path in folder.rglob("*.*"):
        assert path.read_bytes() == (tmp_path / path.relative_to(folder)).read_bytes(), path.name


def test_a_new_report_leaves_no_figure_of_the_old_one(tmp_path):
    store = Store(tmp_path / "store.sqlite")
    put_cell(store, "grace", "CORA", "rLap", "clean", 0.8, np.random.default_rng(0))
    store.close()
    old = tmp_path / "o" / "figures" / "ranks-main-clean.svg"
    old.parent.mkdir(parents=True)
    old.write_text("<svg/>")
    own = old.with_name("my-own.png")
    own.write_bytes(b"")
    write_report(tmp_path / "store.sqlite", tmp_path / "o")
    assert not old.exists()
    assert own.exists()


def test_an_empty_store_gives_a_report_that_says_so(tmp_path):
    Store(tmp_path / "store.sqlite").close()
    write_report(tmp_path / "store.sqlite", tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "0 runs (none)" in text
    assert text.count("0 of 50 cells") == 8
    assert text.count("0 of 40 cells") == 8


def test_words_are_escaped():
    table = Table(["a|b", "<i>"], [[Cell("<x> & `y < z`"), Cell("1", "second", [Cell("<s>", "best")], 1.0)]])
    sections = [Section("s", "<t>", [Notes(["<b>bold</b>"]), table])]
    html = to_html("A & B", ["<lead>"], sections)
    assert not re.findall("<(i|x|t|b|lead|s)>", html)
    assert "&lt;x&gt; &amp; <code>y &lt; z</code>" in html
    assert '<td class="second" data-value="1"><u>1</u><small><strong>&lt;s&gt;</strong></small></td>' in html
    markdown = to_markdown("T", [], sections)
    assert "- &lt;b>bold&lt;/b>" in markdown
    assert "| a\\|b | <i> |" in markdown
    assert "<ins>1</ins><br>**&lt;s>**" in markdown


@pytest.mark.parametrize("option", ["--store", "--overheads"])
def test_a_file_that_is_not_there_is_refused(tmp_path, option):
    Store(tmp_path / "store.sqlite").close()
    words = ["report", "--store", str(tmp_path / "store.sqlite"), "--out", str(tmp_path / "o"), option, "absent"]
    done = CliRunner().invoke(build_app(), words)
    assert done.exit_code == 2
    assert "must be a file (got 'absent')" in done.output
    assert not (tmp_path / "o").exists()


def test_runs_on_an_unknown_data_set_are_named_and_left_out(tmp_path):
    path = tmp_path / "store.sqlite"
    store = Store(path)
    rng = np.random.default_rng(0)
    put_cell(store, "grace", "CORA", "rLap", "clean", 0.8, rng)
    write_report(path, tmp_path / "before")
    put(store, replace(method_job("grace", "CORA", "rLap", "clean", 0), dataset="Atlantis"), scores([0.3]))
    put(store, replace(leak_job("MUTAG", "rLap", 0), dataset="Atlantis"), error="no")
    store.close()
    write_report(path, tmp_path / "after")
    before, after = ((tmp_path / name / "report.md").read_text().splitlines() for name in ("before", "after"))
    [line] = set(after) - set(before)
    assert "2 runs are left out: the data set must be one of" in line
    assert "(got 'Atlantis')" in line
