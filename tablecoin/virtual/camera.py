"""The virtual table's camera: it behaves and fails like a real one."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from tablecoin import mat as mats
from tablecoin.mat import Mat
from tablecoin.rules.rulebook import Message
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualTable
from tablecoin.virtual.view import View
from tablecoin.vision.cameras.camera import CameraError, Focusing
from tablecoin.vision.frame import Frame

SIZE_PX = (1280, 960)


class VirtualCamera:
    """Takes pictures of a VirtualTable at `fps`. `clock` and `sleep` are injected in tests; `fps` 0 never waits."""

    def __init__(
        self,
        table: VirtualTable,
        view: View | None = None,
        light: Light | None = None,
        skin: Skin | None = None,
        fps: float = 15.0,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = "virtual table"
        self.focusing: Focusing = "unknown"
        self.warning: Message | None = None  # set where it stands for a real camera that does not answer
        self.table = table
        self._view, self._light, self._skin, self._seed = view, light, skin, seed
        self._renderer = self._over(table.mat)
        self._board: tuple[int, Renderer] | None = None  # the lens board that was shown last, by its turn
        self._pause_s = 1 / fps if fps else 0.0
        self._clock, self._sleep = clock, sleep
        self._next_s = clock()
        self._number = 0
        self._open = True

    @property
    def view(self) -> View:
        """Where the camera stands: the ground truth for measures of the reader."""
        return self._renderer.view

    def read(self, timeout_s: float) -> Frame:
        """The next frame when it is due. Raises CameraError when closed, and after `timeout_s` while frozen."""
        if not self._open:
            raise CameraError(Message("camera.virtual.closed"))
        faults = self.table.scene.faults
        if faults.camera_frozen:
            self._sleep(timeout_s)
            raise CameraError(Message("camera.virtual.frozen"))
        self._next_s = max(self._next_s + self._pause_s * (2 if faults.frame_dropped else 1), self._clock())
        wait_s = self._next_s - self._clock()
        if wait_s > 0:
            self._sleep(min(wait_s, timeout_s))
            if wait_s > timeout_s:
                raise CameraError(Message("camera.virtual.late", {"seconds": f"{timeout_s:g}"}))
        if self._renderer.mat is not self.table.mat:
            self._renderer = self._over(self.table.mat)
        self._number += 1
        scene = self.table.scene
        if scene.board is not None:
            if self._board is None or self._board[0] != scene.board:
                self._board = scene.board, self._over_board(scene.board)
            return Frame(self._board[1].picture(Scene(faults=scene.faults)), self._number, self._clock())
        self._board = None
        image = self._renderer.picture(scene, hand_moves=(0.35 * self._number) % (2 * math.pi))
        return Frame(image, self._number, self._clock())

    def _over_board(self, turn: int) -> Renderer:
        """The lens board in front of this camera, near and tilted, at another place for each `turn`."""
        chance = random.Random(turn)
        board = mats.load("charuco")
        width, height = self.view.size_px
        near_mm = max(board.width_mm * self.view.focal_px / width, board.height_mm * self.view.focal_px / height)
        aside_mm = 0.22 * board.width_mm, 0.22 * board.height_mm
        return Renderer(
            board,
            replace(
                self.view,
                aim_mm=(
                    board.width_mm / 2 + chance.uniform(-1, 1) * aside_mm[0],
                    board.height_mm / 2 + chance.uniform(-1, 1) * aside_mm[1],
                ),
                distance_mm=near_mm * chance.uniform(1.0, 1.25),
                tilt_deg=chance.uniform(8, 32),
                towards_deg=chance.uniform(0, 360),
                roll_deg=chance.uniform(-12, 12),
            ),
            self._light,
            seed=self._seed + turn,
        )

    def _over(self, mat: Mat) -> Renderer:
        view = self._view or View.over(mat, size_px=SIZE_PX)
        return Renderer(mat, view, self._light, self._skin, self._seed)

    def close(self) -> None:
        """Give no more pictures. A second call does nothing."""
        self._open = False


@dataclass(frozen=True)
class Simulation:
    """How a virtual table runs: in real time, unless `clock` and `sleep` say otherwise."""

    camera: type[VirtualCamera] = VirtualCamera
    fps: float = 15.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def table(self, mat: Mat, seed: int | None) -> VirtualTable:
        return VirtualTable(mat, seed, self.clock)

    def camera_over(self, table: VirtualTable, skin: Skin | None) -> VirtualCamera:
        return self.camera(table, skin=skin, fps=self.fps, clock=self.clock, sleep=self.sleep)


REAL_TIME = Simulation()
