"""The page in a real browser: tables sort, figures are drawn, nothing is fetched."""

from __future__ import annotations

import http.server
import json
import re
import shutil
import subprocess
import threading

import pytest

from rlap.experiments.targets import find_target

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")

# Added to a copy of the page: does what a reader does, and writes what it sees into the page, which is then dumped.
PROBE = """
<pre id="probe"></pre>
<script>
addEventListener("load", async () => {
  const table = document.querySelector("#grace table");
  const names = () => Array.from(table.tBodies[0].rows, (row) => row.cells[0].textContent);
  const titles = table.tHead.rows[0].cells;
  const seen = { before: names() };
  titles[2].querySelector("button").click();
  seen.down = names();
  seen.sign = titles[2].getAttribute("aria-sort");
  titles[2].querySelector("button").click();
  seen.up = names();
  titles[0].querySelector("button").click();
  seen.words = names();
  const partly = document.querySelector("#ablation-grace table");
  seen.partly = [0, 1, 1].map((column) => {
    partly.tHead.rows[0].cells[column].querySelector("button").click();
    return partly.tBodies[0].rows[0].cells[0].textContent;
  });
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  seen.figures = Array.from(document.querySelectorAll(".panel svg"), (svg) => {
    const box = svg.getBoundingClientRect();
    return [box.width, box.height, svg.querySelectorAll("path").length, svg.querySelectorAll("text").length];
  });
  seen.images = document.images.length;
  seen.wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  seen.fetched = performance.getEntriesByType("resource").map((one) => one.name);
  let refused = 0;
  addEventListener("securitypolicyviolation", () => { refused += 1; });
  await fetch("/outside").catch(() => {});
  await new Promise((done) => {
    const image = new Image();
    image.onload = image.onerror = done;
    image.src = "/outside.png";
  });
  await new Promise((done) => setTimeout(done, 50));
  seen.refused = refused;
  document.getElementById("probe").textContent = JSON.stringify(seen);
});
</script>
</body>"""


class Server:
    """Serves a folder, and writes down what is asked for."""

    def __init__(self, folder):
        asked = self.asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=str(folder))

            def do_GET(self):
                asked.append(self.path)
                super().do_GET()

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def open(self, name, profile, width):
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += [f"--user-data-dir={profile}", f"--window-size={width},900", "--virtual-time-budget=10000"]
        command += ["--dump-dom", f"http://127.0.0.1:{self.server.server_port}/{name}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def made(report, tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    text = (report[0] / "report.html").read_text()
    assert text.count("</body>") == 1
    (folder / "report.html").write_text(text)
    (folder / "probe.html").write_text(text.replace("</body>", PROBE))
    server = Server(folder)
    yield folder, report[1], server
    server.server.shutdown()
    server.server.server_close()


@pytest.mark.parametrize("width", [1200, 500])  # 500 is the least that this browser's window takes
def test_a_reader_can_sort_and_sees_figures(made, width):
    folder, values, server = made
    dumped = server.open("probe.html", folder / f"profile{width}", width)
    seen = json.loads(re.search('<pre id="probe">(.*?)</pre>', dumped)[1])
    rows = find_target("grace").rows
    assert seen["before"] == list(rows)
    means = {row: values["grace", "AMAZON-PHOTO", row, "clean"].mean() for row in rows}
    assert seen["down"] == sorted(rows, key=means.get, reverse=True)
    assert seen["down"] != seen["before"]
    assert seen["sign"] == "descending"
    assert seen["up"] == seen["down"][::-1]
    assert seen["words"] == sorted(rows, key=str.lower)
    # Only one row of this table has run: it comes first whichever way numbers are sorted.
    assert seen["partly"] == ["rLap-deg-asc", "rLap-rand-asc", "rLap-rand-asc"]
    # Two of ranks, two of costs, five of spectra: all are there, have a size, lines and words.
    assert len(seen["figures"]) == 9
    assert all(wide > 200 and high > 100 and paths > 5 and words > 5 for wide, high, paths, words in seen["figures"])
    assert seen["images"] == 0
    assert seen["wider"] == 0  # tables scroll in their own frames, the page does not
    assert seen["fetched"] == []
    assert seen["refused"] == 2  # the policy holds: what the probe tried to fetch was not


def test_nothing_but_the_page_is_asked_for(made):
    folder, _, server = made
    server.asked.clear()
    dumped = server.open("report.html", folder / "profile", 1200)
    assert dumped.count("<svg") == 9
    assert server.asked == ["/report.html"]
