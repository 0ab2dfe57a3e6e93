"""Every check of every test is made at every run: no test may skip one under a condition."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tests.texts.check import ROOT, Check, Checks, Problem, tree_of

RAISING = ("raises", "warns", "fail")  # pytest.raises and the like


def files() -> list[Path]:
    return sorted((ROOT / "tests").rglob("test_*.py"))


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
    if not any(isinstance(node, ast.If | ast.Match | ast.Try) for node in ast.walk(test)):
        return []
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


def unchecked(path: Path) -> Iterator[Problem]:
    for test in functions_of(tree_of(path)):
        for line in skipped(test):
            todo = "filter the cases before the loop, split the test, or parametrize it"
            yield Problem(path, line, f"{test.name} does not check this at every run", todo)


CHECKS: Checks = (Check("no check of a test stands under a condition", files, unchecked),)
