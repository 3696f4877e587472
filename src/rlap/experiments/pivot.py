"""Tables as the paper prints them: a row an augmentor, a column a data set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rlap.experiments.results import Cell


@dataclass(frozen=True)
class PivotTable:
    """A title, the columns behind the first, and rows of which the first entry is a name."""

    title: str
    columns: list[str]
    rows: list[list[str]]

    def to_markdown(self) -> str:
        """Write it as Markdown.

        Example:
            >>> print(PivotTable("grace", ["CORA"], [["rLap", "83.00 ± 1.00"]]).to_markdown())
            ### grace
            <BLANKLINE>
            |  | CORA |
            |---|---:|
            | rLap | 83.00 ± 1.00 |
            <BLANKLINE>
        """
        lines = [f"### {self.title}", "", _line(["", *self.columns]), "|---|" + "---:|" * len(self.columns)]
        return "\n".join([*lines, *(_line(row) for row in self.rows), ""])

    def to_latex(self) -> str:
        """Write it as LaTeX, with the rules of booktabs.

        Example:
            >>> print(PivotTable("grace", ["CORA"], [["rLap", "83.00 ± 1.00"]]).to_latex())
            % grace
            \\begin{tabular}{lr}
            \\toprule
             & CORA \\\\
            \\midrule
            rLap & $83.00 \\pm 1.00$ \\\\
            \\bottomrule
            \\end{tabular}
            <BLANKLINE>
        """
        head = [f"% {self.title}", rf"\begin{{tabular}}{{l{'r' * len(self.columns)}}}", r"\toprule"]
        body = [_latex_row(["", *self.columns]), r"\midrule", *(_latex_row(row) for row in self.rows)]
        return "\n".join([*head, *body, r"\bottomrule", r"\end{tabular}", ""])


def pivot(cells: Iterable[Cell]) -> list[PivotTable]:
    """Make one table for every design and protocol; trials with other settings get tables of their own.

    Behind each accuracy stands how many training seeds it is from.
    """
    tables: dict[tuple[str, str, str], dict[tuple[str, str], list[str]]] = {}
    for cell in cells:
        table = tables.setdefault((cell.method, cell.protocol, cell.changes), {})
        table.setdefault((cell.augmentor, cell.dataset), []).append(f"{cell.text} ({cell.accuracy.seeds})")
    return [_table(*group, found) for group, found in tables.items()]


def _table(method: str, protocol: str, changes: str, found: dict[tuple[str, str], list[str]]) -> PivotTable:
    columns = list(dict.fromkeys(dataset for _, dataset in found))
    names = list(dict.fromkeys(augmentor for augmentor, _ in found))
    trial = f", with {changes}" if changes else ""
    return PivotTable(
        f"{method}, {protocol} protocol{trial}: accuracy in percent (training seeds)",
        columns,
        [[name, *("; ".join(found.get((name, column), [])) for column in columns)] for name in names],
    )


def _line(entries: Iterable[str]) -> str:
    return f"| {' | '.join(entries)} |"


def _latex_row(entries: Iterable[str]) -> str:
    return " & ".join(_latex(entry) for entry in entries) + r" \\"


def _latex(entry: str) -> str:
    if "±" not in entry:
        return entry.replace("_", r"\_")
    mean, _, rest = entry.partition(" ± ")
    std, blank, seeds = rest.partition(" ")
    return rf"${mean} \pm {std}${blank}{seeds}"
