"""The house rules of Coin Wars. The default of each is the ruling the table plays when nobody says otherwise."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import force_setattr

from tablecoin.rules.coin_wars import adventures
from tablecoin.rules.game import Options
from tablecoin.rules.names import Name, name_problem, plain_name
from tablecoin.rules.rulebook import Message

MOST_PLAYERS = 20
EASY, HARD = 3, 8  # pennies of the scenes that force_mix wants, the fewest that will do


class CoinWarsOptions(Options, frozen=True):
    """House rules of Coin Wars."""

    players: Annotated[
        tuple[Name, ...],
        Meta(max_length=MOST_PLAYERS, description="Names of those expected at the table; empty: anybody may join."),
    ] = ()
    adventure: Annotated[
        str,
        Meta(max_length=40, description="An adventure of the book by its name; none: the players write their scenes."),
    ] = adventures.NONE
    powers: Annotated[Literal["allowed", "none"], Meta(description="Whether characters may have powers.")] = "allowed"
    experience: Annotated[
        Literal["allowed", "none"], Meta(description="Whether beaten scenes earn experience that is spent on traits.")
    ] = "allowed"
    customization: Annotated[
        int, Meta(ge=0, le=20, description="Experience each new character starts with; 3, 5 or 7 are usual.")
    ] = 0
    scene_points: Annotated[
        int, Meta(ge=0, le=1000, description="Points each player may spend on scenes; 0 shares 60 among the players.")
    ] = 0
    harder_scenes: Annotated[
        Literal["on", "off"],
        Meta(description="Three more scene points for every five experience points a character has had on average."),
    ] = "on"
    misc_cost: Annotated[
        Literal["added", "inside"],
        Meta(description="A Miscellaneous component's extra point: added to the cost, or taken out of the coins."),
    ] = "added"
    misc_by: Annotated[
        Literal["either", "misc"],
        Meta(description="Miscellaneous components are met with Miscellaneous or Coolness, or Miscellaneous alone."),
    ] = "either"
    force_mix: Annotated[
        Literal["warn", "require"],
        Meta(description="An adventure without an Easy or without a Hard scene: warn, or draw again."),
    ] = "warn"
    burn_recovery: Annotated[
        Literal["split", "scene", "adventure"],
        Meta(description="Burns end: for help at the next scene, for damage next adventure; all at one or the other."),
    ] = "split"
    burn_restore: Annotated[
        Literal["before", "one", "full"],
        Meta(description="A trait saved by a burn stands as before the exchange, at one, or at its full rating."),
    ] = "before"
    zero_fails_scene: Annotated[
        bool, Meta(description="A trait brought to 0 loses the scene even after a burn or with Coolness.")
    ] = False
    assist_span: Annotated[
        Literal["scene", "exchange"], Meta(description="How long help lasts: for the scene, or for one exchange.")
    ] = "scene"
    cool_recovery: Annotated[
        Literal["unused", "always"],
        Meta(description="Coolness recovers only after a scene that did not use it, or after every scene."),
    ] = "unused"
    defensive_recompute: Annotated[
        bool, Meta(description="Tails that Defensive turns no longer count for the character either.")
    ] = False
    luck_any: Annotated[bool, Meta(description="Luck may toss one of the scene's coins again, not only one's own.")] = (
        False
    )
    all_out: Annotated[
        Literal["ends", "skips"],
        Meta(description="When nobody can enter the next scene: the adventure ends lost, or that scene is skipped."),
    ] = "ends"
    narration: Annotated[
        Literal["required", "skipped"],
        Meta(description="Players tell what happened before going on, or the game goes on without it."),
    ] = "required"

    def __post_init__(self) -> None:
        force_setattr(self, "players", tuple(map(plain_name, self.players)))


def fault(options: CoinWarsOptions) -> Message | None:
    """Unusable names, too few points to write a scene, or rules that mean nothing together; None when all is well."""
    for rule, needed, given in (
        ("luck_any", "powers", options.luck_any),
        ("defensive_recompute", "powers", options.defensive_recompute),
        ("customization", "experience", options.customization > 0),
        ("harder_scenes", "experience", options.harder_scenes == "off"),
    ):
        if given and getattr(options, needed) == "none":
            return Message("options.needs", {"rule": rule, "needed": needed})
    if options.adventure != adventures.NONE and not adventures.is_known(options.adventure):
        return Message("options.adventure", {"name": repr(options.adventure), "known": adventures.shipped()})
    if 0 < options.scene_points < 3:
        return Message("options.scene_points")
    grows = options.harder_scenes == "on" and options.experience == "allowed"
    if options.force_mix == "require" and 0 < options.scene_points < HARD and not grows:
        return Message("options.force_mix", {"points": options.scene_points, "least": HARD})
    if _alone_without_mix(options) and not grows:
        return Message("options.force_mix.alone", {"points": options.scene_points, "least": EASY + HARD})
    if problem := next(filter(None, map(name_problem, options.players)), None):
        return problem
    return Message("options.names.same") if len(set(options.players)) < len(options.players) else None


def _alone_without_mix(options: CoinWarsOptions) -> bool:
    """Whether one player must write both scenes that force_mix wants, with points for one of them."""
    wanted = options.force_mix == "require" and options.adventure == adventures.NONE
    return wanted and len(options.players) == 1 and 0 < options.scene_points < EASY + HARD
