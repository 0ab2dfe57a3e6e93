"""The actions of Coin Wars, as JSON gives them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import force_setattr

from tablecoin.coins import Coin, Denomination
from tablecoin.rules.coin_wars.character import PowerChoice, Purchase, Sheet
from tablecoin.rules.coin_wars.exchange import Coins
from tablecoin.rules.coin_wars.traits import Points, PowerName, TraitName
from tablecoin.rules.game import Action
from tablecoin.rules.names import plain_name

Name = Annotated[str, Meta(max_length=200)]
Option = Literal["burn", "coolness", "sit-out"]
OPTIONS: tuple[Option, ...] = ("burn", "coolness", "sit-out")


class Create(Action, frozen=True, tag="create"):
    """A new character: `ratings` with `strong` (a trait) or `power`; or a saved one: `sheet` alone."""

    name: Name
    ratings: Points | None = None
    misc_name: Annotated[str, Meta(max_length=40)] = ""
    strong: TraitName | None = None
    power: PowerChoice | None = None
    sheet: Sheet | None = None

    def __post_init__(self) -> None:
        force_setattr(self, "name", plain_name(self.name))


class Write(Action, frozen=True, tag="scene"):
    """A scene card: its pennies by component, `misc_name` for its Miscellaneous one, and the story."""

    name: Name
    components: Points
    title: Annotated[str, Meta(max_length=120)] = ""
    text: Annotated[str, Meta(max_length=2000)] = ""
    misc_name: Annotated[str, Meta(max_length=40)] = ""


class Tear(Action, frozen=True, tag="tear"):
    """An author takes back a card that is not drawn yet: its place among all cards, from 0."""

    name: Name
    scene: int


class TakeBook(Action, frozen=True, tag="adventure"):
    """The table plays an adventure of the book instead of cards; `none`: the players write cards after all."""

    adventure: Annotated[str, Meta(max_length=40)]


class Draw(Action, frozen=True, tag="draw"):
    """The cards drawn from the shuffled pile, in order: places among all cards, from 0. The adventure begins."""

    order: Annotated[tuple[Annotated[int, Meta(ge=0, le=10_000)], ...], Meta(max_length=10_000)]


class Spend(Action, frozen=True, tag="spend"):
    """Experience turned into a coin step, a rating or a rank of a power."""

    name: Name
    on: Purchase


class Ready(Action, frozen=True, tag="ready"):
    """The player is done before the draw or the last scene, or wants no help before the exchange."""

    name: Name


class Toss(Action, frozen=True, tag="flip"):
    """The coins of one exchange, or the one coin that a power tosses again, with the faces they show."""

    name: Name
    component: TraitName
    character: Coins = ()
    scene: Coins = ()


class Assist(Action, frozen=True, tag="assist"):
    """Burn a coin to toss Coolness or Miscellaneous too in a component."""

    name: Name
    burn: TraitName
    add: TraitName
    component: TraitName


class Answer(Action, frozen=True, tag="answer"):
    """Meet the scene's Miscellaneous component with `trait`: one's own Miscellaneous, or Coolness."""

    name: Name
    trait: TraitName


class UsePower(Action, frozen=True, tag="power"):
    """A power is used. Beyond `name` and `power`, each takes only the fields given here.

    Before an exchange:
      so-cool        `component`: where Coolness is tossed too, with nothing burnt
    On the coins just tossed, until the player accepts them:
      luck           `coin`: the own coin to toss again (`side` "scene" for one of the scene's, house rule luck_any)
      flamebait      `coin`: the own coin to replace; `into`: the kind of coin burnt, which is tossed instead
      grabby-hands   `take` and `give`: as many of the scene's coins as of one's own, with their faces
      offensive, defensive   nothing; they apply to the trait of the exchange
    After luck and flamebait one coin is due: a `flip` with that coin alone on its side tells its new face.
    """

    name: Name
    power: PowerName
    component: TraitName | None = None
    coin: Coin | None = None
    side: Literal["character", "scene"] = "character"
    into: Denomination | None = None
    take: Coins = ()
    give: Coins = ()


class Accept(Action, frozen=True, tag="accept"):
    """The player lets the exchange stand."""

    name: Name


class Choose(Action, frozen=True, tag="choose"):
    """What to do about a trait brought to 0."""

    name: Name
    option: Option


class Narrate(Action, frozen=True, tag="narrate"):
    """The player tells how the scene went; an empty text means it was told aloud."""

    name: Name
    text: Annotated[str, Meta(max_length=2000)] = ""


CoinWarsAction = (
    Create
    | Write
    | Tear
    | TakeBook
    | Draw
    | Spend
    | Ready
    | Toss
    | Assist
    | Answer
    | UsePower
    | Accept
    | Choose
    | Narrate
)
ACTIONS: tuple[type[Action], ...] = (
    Create, Write, Tear, TakeBook, Draw, Spend, Ready, Toss, Assist, Answer, UsePower, Accept, Choose, Narrate,
)  # fmt: skip
