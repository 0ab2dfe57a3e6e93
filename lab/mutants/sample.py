"""Mutants: every small fault that can be planted in a file, a seeded sample of them, and how each ended."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from msgspec import Struct

# The rooms that are sampled, each with its folders. Each room gives the same number of mutants.
ROOMS: Mapping[str, tuple[str, ...]] = {
    "rules": ("tablecoin/rules",),
    "referee": ("tablecoin/referee",),
    "journal": ("tablecoin/journal",),
    "reader": ("tablecoin/vision/coins", "tablecoin/vision/place", "tablecoin/vision/rest"),
    "web": ("web",),
}
_SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
    "is": "is not", "is not": "is", "and": "or", "or": "and", "+": "-", "-": "+", "*": "/", "/": "*", "//": "*",
    "%": "*", "**": "*",
}  # fmt: skip
_OPERATOR = re.compile(r"\b(?:not\s+in|is\s+not|in|is|and|or)\b|<=|>=|==|!=|//|\*\*|[<>+\-*/%]")


class Mutant(Struct, frozen=True):
    """One fault: on one line, the text `old` from column `col` on becomes `new`.

    `scope`, `line` and `nth` find the place again after other lines have moved: the `nth` line of this text in a scope.
    """

    room: str
    path: str
    scope: str
    line: str  # without its indent
    nth: int
    col: int  # in characters, from the first that is no indent
    old: str
    new: str

    def row(self, source: str) -> int | None:
        """The index of the mutant's line in `source`; None where the line is gone."""
        spans = _scopes(ast.parse(source))
        same = [
            row
            for row, text in enumerate(source.splitlines())
            if text.strip() == self.line and _scope_of(spans, row + 1) == self.scope
        ]
        return same[self.nth] if self.nth < len(same) else None

    def planted(self, source: str) -> str | None:
        """`source` with the fault; None where its line is gone."""
        row = self.row(source)
        if row is None:
            return None
        lines = source.splitlines(keepends=True)
        start = len(lines[row]) - len(lines[row].lstrip()) + self.col
        assert lines[row][start:].startswith(self.old)
        lines[row] = lines[row][:start] + self.new + lines[row][start + len(self.old) :]
        return "".join(lines)


End = Literal["caught", "survived", "capped", "unreached", "gone"]


class Task(Struct, frozen=True):
    """A mutant, and the tests that reach its line, fastest first."""

    number: int
    mutant: Mutant
    tests: tuple[str, ...]


class Result(Struct, frozen=True):
    """How a mutant ended: `by` which test it was caught, after how many tests and seconds of CPU.

    `capped`: no test found it within the time. `unreached`: no test runs its line. `gone`: its line is gone.
    """

    number: int
    end: End
    by: str = ""
    tests: int = 0
    cpu_s: float = 0.0


def draw(root: Path, seed: int, each: int) -> list[Mutant]:
    """`each` mutants of every room of the checkout `root`, the same for the same seed and code."""
    chance, drawn = random.Random(seed), list[Mutant]()
    for room, folders in ROOMS.items():
        paths = sorted(path for folder in folders for path in (root / folder).rglob("*.py"))
        sources = {str(path.relative_to(root)): path.read_text("utf-8") for path in paths}
        found = [mutant for path, source in sources.items() for mutant in mutants(room, path, source)]
        chance.shuffle(found)
        sound = (mutant for mutant in found if _parses(mutant.planted(sources[mutant.path])))
        drawn += islice(sound, each)
    return drawn


def mutants(room: str, path: str, source: str) -> Iterator[Mutant]:
    """Every mutant of one file. A few of them are no Python."""
    tree, lines = ast.parse(source), source.splitlines()
    spans, seen = _scopes(tree), set[tuple[int, int, str]]()
    scopes = [_scope_of(spans, row + 1) for row in range(len(lines))]
    for node in _code(tree):
        for row, start, end, new in _faults(node, lines):
            text = lines[row]
            indent = len(text) - len(text.lstrip())
            if (row, start, new) in seen or ":=" in text[start:end]:
                continue
            seen.add((row, start, new))
            same = [
                other for other in range(row) if (lines[other].strip(), scopes[other]) == (text.strip(), scopes[row])
            ]
            yield Mutant(room, path, scopes[row], text.strip(), len(same), start - indent, text[start:end], new)


def _faults(node: ast.AST, lines: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
    """(row, first column, column after the last, new text) of each fault of one node. Only faults within a line."""
    match node:
        case ast.Compare():
            for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
                yield from _swapped(left, right, lines)
        case ast.BoolOp():
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from _swapped(left, right, lines)
        case ast.BinOp():
            yield from _swapped(node.left, node.right, lines)
        case ast.Constant(value=bool(value)):
            yield from _whole(node, lines, str(not value))
        case ast.Constant(value=int(value) | float(value)):
            yield from _whole(node, lines, repr(value + 1))
        case ast.UnaryOp(op=ast.Not()):
            yield from _whole(node, lines, "({operand})", node.operand)
        case ast.If() | ast.While() | ast.IfExp():
            yield from _whole(node.test, lines, "(not ({operand}))", node.test)
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield from _whole(value, lines, "None")
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise():
            yield from _whole(node, lines, "pass")
        case ast.Break() | ast.Continue():
            yield from _whole(node, lines, "continue" if isinstance(node, ast.Break) else "break")


def _swapped(left: ast.expr, right: ast.expr, lines: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
    """The operator between two operands replaced by another."""
    if left.end_lineno != right.lineno or left.end_col_offset is None:
        return
    row = right.lineno - 1
    start, end = _column(lines[row], left.end_col_offset), _column(lines[row], right.col_offset)
    operator = _OPERATOR.search(lines[row], start, end)
    if operator and (new := _SWAPS.get(" ".join(operator.group().split()))):
        yield row, operator.start(), operator.end(), new


def _whole(
    node: ast.expr | ast.stmt, lines: Sequence[str], new: str, operand: ast.expr | None = None
) -> Iterator[tuple[int, int, int, str]]:
    """The whole node replaced by `new`, in which {operand} stands for the text of `operand`."""
    if node.lineno != node.end_lineno or node.end_col_offset is None:
        return
    text = lines[node.lineno - 1]
    if operand is not None:
        assert operand.end_col_offset is not None
        within = text[_column(text, operand.col_offset) : _column(text, operand.end_col_offset)]
        new = new.format(operand=within) if "{" not in within else new.replace("{operand}", within)
    yield node.lineno - 1, _column(text, node.col_offset), _column(text, node.end_col_offset), new


def _column(text: str, offset: int) -> int:
    """A column in characters, from one in bytes of UTF-8."""
    return len(text.encode()[:offset].decode())


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node but annotations, docstrings, log calls, asserts, and code for type checkers alone."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_params", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_idle(child):
                yield child
                yield from _code(child)


def _is_idle(node: ast.AST) -> bool:
    match node:
        case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "logging")))):
            return True
    return False


def _scopes(tree: ast.Module) -> list[tuple[int, int, str]]:
    """(first line, last line, dotted name) of each function and class, outer ones first."""
    found: list[tuple[int, int, str]] = []

    def walk(node: ast.AST, before: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.append((child.lineno, child.end_lineno or child.lineno, f"{before}{child.name}"))
                walk(child, f"{before}{child.name}.")
            else:
                walk(child, before)

    walk(tree, "")
    return found


def _scope_of(spans: Sequence[tuple[int, int, str]], line: int) -> str:
    return max((span for span in spans if span[0] <= line <= span[1]), default=(0, 0, ""), key=lambda span: span[0])[2]


def _parses(source: str | None) -> bool:
    try:
        ast.parse(source or "(")
    except SyntaxError:
        return False
    return True
