"""Every check of every test is made at every run: no test may skip one under a condition."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILES = sorted(TESTS.rglob("test_*.py"))
RAISING = ("raises", "warns", "fail")  # pytest.raises and the like


def functions_of(tree: ast.Module) -> list[ast.FunctionDef]:
    """The test functions of a file, also those in classes."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


def is_check(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in RAISING
    )


def branches(node: ast.AST) -> list[ast.AST]:
    """The statements that `node` runs in one case and not in another."""
    match node:
        case ast.If():
            return [*node.body, *node.orelse]
        case ast.Match():
            return [statement for case in node.cases for statement in case.body]
        case ast.Try():
            return [statement for handler in node.handlers for statement in handler.body]
    return []


def skipped(test: ast.FunctionDef) -> list[int]:
    """Lines of a test that are not always checked: a check under a condition, or a jump that passes one by."""
    parent = {child: node for node in ast.walk(test) for child in ast.iter_child_nodes(node)}
    parent |= {statement: case for case in ast.walk(test) for statement in branches(case)}

    def around(node: ast.AST) -> Iterator[ast.AST]:
        while node is not test:
            node = parent[node]
            yield node

    def is_conditional(node: ast.AST) -> bool:
        chain = [node, *around(node)]
        return any(inner in branches(outer) for inner, outer in pairwise(chain))

    def passes_by(node: ast.AST) -> bool:
        match node:
            case ast.Return():
                return next(each for each in around(node) if isinstance(each, ast.FunctionDef)) is test
            case ast.Continue():
                loop = next(each for each in around(node) if isinstance(each, ast.For | ast.While))
                return any(map(is_check, ast.walk(loop)))
        return is_check(node)

    found = [node for node in ast.walk(test) if passes_by(node) and is_conditional(node)]
    return sorted({node.lineno for node in found if isinstance(node, ast.stmt | ast.expr)})


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_check_stands_under_a_condition(path: Path) -> None:
    """Filter the cases before the loop, split the test, or parametrize it."""
    found = {test.name: lines for test in functions_of(ast.parse(path.read_text("utf-8"))) if (lines := skipped(test))}
    assert not found, "these lines are not checked at every run"


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("assert a", []),
        ("if a:\n  b()", []),
        ("while a:\n  if b:\n   break\n  assert c", []),
        ("while a:\n  if b:\n   continue\n  c()\n assert d", []),
        ("def f():\n  if a:\n   return 1\n  return 2\n assert f()", []),
        ("if a:\n  assert b", [3]),
        ("if a:\n  b()\n else:\n  assert c", [5]),
        ("if a:\n  for b in c:\n   assert b", [4]),
        ("if a:\n  with pytest.raises(E):\n   b()", [3]),
        ("if a:\n  return\n assert b", [3]),
        ("for a in b:\n  if a:\n   continue\n  assert a", [4]),
        ("match a:\n  case 1:\n   assert b", [4]),
        ("try:\n  a()\n except E:\n  assert b", [5]),
    ],
)
def test_a_check_under_a_condition_is_found(body: str, lines: list[int]) -> None:
    (test,) = functions_of(ast.parse(f"def test_it():\n {body}"))
    assert skipped(test) == lines
