"""Characters: traits, powers, experience, and the sheet a character is saved on. (Rulebook 1, 8 and 9.)"""

from __future__ import annotations

from functools import cache
from typing import Annotated

import msgspec

from tablecoin.coins import Denomination
from tablecoin.rules.coin_wars.options import CoinWarsOptions
from tablecoin.rules.coin_wars.traits import COMPONENTS, LINKED, TRAITS, Points, PowerName, TraitName, stepped, steps
from tablecoin.rules.coin_wars.words import power_word, trait_word
from tablecoin.rules.game import IllegalAction
from tablecoin.rules.names import plain_name
from tablecoin.rules.rulebook import Message, texts

START_POINTS = 12
FULL = 120  # twelfths in one experience point: ten whole points
FAST_LEARNER_COST = 3
HIGHEST = 999  # the most that a rating, a rank or a career can be

Number = Annotated[int, msgspec.Meta(ge=0, le=HIGHEST)]


class Trait(msgspec.Struct, frozen=True):
    """`rating` is what it recovers to, `now` what is left. `coin` is tossed, `burnt` steps below its own coin."""

    rating: Number
    now: Number
    coin: Denomination = Denomination.PENNY
    burnt: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0

    @property
    def own_coin(self) -> Denomination:
        """The coin without its burns."""
        return stepped(self.coin, self.burnt)

    def burn(self) -> Trait:
        return msgspec.structs.replace(self, coin=stepped(self.coin, -1), burnt=self.burnt + 1)

    def restore(self, by: int) -> Trait:
        """The trait with `by` of its burns undone."""
        return msgspec.structs.replace(self, coin=stepped(self.coin, by), burnt=self.burnt - by)

    def recover(self, by: int) -> Trait:
        return msgspec.structs.replace(self, now=min(self.rating, self.now + by))


class Traits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All five, by name."""

    bodiness: Trait
    braininess: Trait
    personality: Trait
    coolness: Trait
    misc: Trait

    def __getitem__(self, name: TraitName) -> Trait:
        trait: Trait = getattr(self, name)
        return trait

    def put(self, name: TraitName, trait: Trait) -> Traits:
        return msgspec.structs.replace(self, **{str(name): trait})


class Powers(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, rename="kebab"):
    """Ranks by power; those linked to a trait have a rank for each: {"luck": 2, "offensive": {"bodiness": 3}}."""

    luck: Number = 0
    so_cool: Number = 0
    offensive: Points = Points()
    defensive: Points = Points()
    flamebait: Number = 0
    super_cool: Number = 0
    super_trait: Points = Points()
    grabby_hands: Number = 0
    fast_learner: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0

    def rank(self, power: PowerName, trait: TraitName | None = None) -> int:
        """The rank; of a linked power, that for `trait`."""
        held = getattr(self, _field(power))
        if isinstance(held, Points):
            return held[trait] if trait else 0
        return int(held)

    def raised(self, power: PowerName, trait: TraitName | None, by: int = 1) -> Powers:
        """One rank more. `trait` names the trait of a linked power."""
        held = getattr(self, _field(power))
        more = held.put(trait, held[trait] + by) if isinstance(held, Points) and trait else held + by
        return msgspec.structs.replace(self, **{_field(power): more})

    @property
    def worth(self) -> int:
        """The experience all ranks cost: one each, Fast Learner three."""
        plain = self.luck + self.so_cool + self.flamebait + self.super_cool + self.grabby_hands
        linked = self.offensive.total + self.defensive.total + self.super_trait.total
        return plain + linked + FAST_LEARNER_COST * self.fast_learner


class Used(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, rename="kebab"):
    """How often each power limited by adventure has been used in this one."""

    luck: Number = 0
    so_cool: Number = 0
    flamebait: Number = 0
    grabby_hands: Number = 0

    def count(self, power: PowerName) -> int:
        return int(getattr(self, _field(power)))

    def plus(self, power: PowerName, by: int = 1) -> Used:
        return msgspec.structs.replace(self, **{_field(power): self.count(power) + by})


def _field(power: PowerName) -> str:
    return power.value.replace("-", "_")


class SheetTrait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A trait at rest: its rating and its own coin."""

    rating: Number
    coin: Denomination = Denomination.PENNY


class SheetTraits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All five at rest."""

    bodiness: SheetTrait
    braininess: SheetTrait
    personality: SheetTrait
    coolness: SheetTrait
    misc: SheetTrait

    def __getitem__(self, name: TraitName) -> SheetTrait:
        trait: SheetTrait = getattr(self, name)
        return trait


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character between adventures: what is saved and brought along. Wounds and burns are left behind.

    `career` counts all experience points ever had, `experience` those not spent yet. What the sheet shows must have
    been paid for: points above 12, coin steps and ranks are worth one (the Strong trait or the first power) more than
    the experience spent (coin-wars.create.sheet).
    """

    traits: SheetTraits
    misc_name: Annotated[str, msgspec.Meta(max_length=40)] = ""
    powers: Powers = Powers()
    twelfths: Annotated[int, msgspec.Meta(ge=0, lt=FULL)] = 0
    experience: Number = 0
    career: Number = 0

    @property
    def worth(self) -> int:
        """Points above the first twelve, coin steps and ranks, in experience points."""
        traits = [self.traits[name] for name in TRAITS]
        return sum(t.rating + steps(t.coin) for t in traits) - START_POINTS + self.powers.worth


class Character(msgspec.Struct, frozen=True):
    """A player's character in an adventure.

    `sitting_out` is set by the choice to sit out and lasts through the scene missed. `used` counts this adventure.
    """

    name: str
    traits: Traits
    misc_name: str = ""
    powers: Powers = Powers()
    twelfths: Annotated[int, msgspec.Meta(ge=0, lt=FULL)] = 0
    experience: Number = 0
    career: Number = 0
    sitting_out: bool = False
    used: Used = Used()

    def put(self, name: TraitName, trait: Trait) -> Character:
        return msgspec.structs.replace(self, traits=self.traits.put(name, trait))

    def use(self, power: PowerName, by: int = 1) -> Character:
        return msgspec.structs.replace(self, used=self.used.plus(power, by))

    def uses_left(self, power: PowerName) -> int:
        """How often a power limited by adventure may still be used."""
        return self.powers.rank(power) - self.used.count(power)

    def earn(self, twelfths: int) -> Character:
        """The character after a reward: 120 twelfths make one experience point, the rest is kept.

        A career ends where sheets do.
        """
        points, rest = divmod(self.twelfths + twelfths, FULL)
        points = min(points, HIGHEST - self.career)
        return msgspec.structs.replace(
            self, twelfths=rest, experience=self.experience + points, career=self.career + points
        )


class PowerChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A power chosen instead of a Strong trait; `trait` for those linked to one."""

    name: PowerName
    trait: TraitName | None = None


def new_character(
    name: str,
    ratings: Points,
    misc_name: str,
    strong: TraitName | None,
    power: PowerChoice | None,
    options: CoinWarsOptions,
) -> Character:
    """A character for its first adventure. Raises IllegalAction (clauses coin-wars.create.*)."""
    for trait in TRAITS:
        if ratings[trait] < 0:
            raise IllegalAction("coin-wars.create.rating", trait=trait_word(trait), rating=ratings[trait])
    if ratings.total != START_POINTS:
        raise IllegalAction("coin-wars.create.points", total=ratings.total, points=START_POINTS)
    misc_name = plain_name(misc_name)
    check_misc_name(misc_name)
    if strong is TraitName.MISC:
        raise IllegalAction("coin-wars.create.strong.misc")
    if strong and power:
        raise IllegalAction("coin-wars.create.power")
    if not strong and not power:
        raise IllegalAction("coin-wars.create.strong")
    traits = Traits(*(Trait(ratings[trait], ratings[trait]) for trait in TRAITS))
    if strong:
        traits = traits.put(strong, msgspec.structs.replace(traits[strong], coin=Denomination.NICKEL))
    character = Character(name, traits, misc_name, experience=options.customization, career=options.customization)
    if power:
        if power.name is PowerName.FAST_LEARNER:
            raise IllegalAction("coin-wars.create.power.fast-learner")
        check_power(power.name, power.trait, options)
        powers = character.powers.raised(power.name, power.trait)
        return msgspec.structs.replace(character, powers=powers)
    return character


def check_misc_name(name: str) -> None:
    """Raise IllegalAction where a Miscellaneous trait or component is called what belongs to another trait."""
    if plain_name(name).casefold() in _taken():
        raise IllegalAction("coin-wars.create.misc", misc_name=plain_name(name))


@cache
def _taken() -> frozenset[str]:
    """The words of every language that no Miscellaneous may be called."""
    others = (texts(Message(f"coin-wars.word.{trait}")) for trait in TRAITS if trait is not TraitName.MISC)
    return frozenset(("badassness", *(word.casefold() for words in others for word in words.values())))


def from_sheet(name: str, sheet: Sheet, options: CoinWarsOptions) -> Character:
    """A saved character, rested, for a new adventure. Raises IllegalAction when the sheet does not add up."""
    paid = sheet.career - sheet.experience + 1
    linked = [sheet.powers.offensive, sheet.powers.defensive, sheet.powers.super_trait]
    negative = any(points[trait] < 0 for points in linked for trait in TRAITS)
    if paid < 1 or sheet.worth != paid or negative:
        raise IllegalAction("coin-wars.create.sheet", worth=sheet.worth, paid=max(paid, 0))
    if sheet.powers.worth and options.powers == "none":
        raise IllegalAction("coin-wars.power.allowed")
    if sheet.career and options.experience == "none":
        raise IllegalAction("coin-wars.experience.allowed")
    if any(points.coolness for points in linked) and TraitName.COOLNESS not in linkable(options):
        raise IllegalAction("coin-wars.power.link.coolness")
    misc_name = plain_name(sheet.misc_name)
    check_misc_name(misc_name)
    traits = Traits(*(Trait(sheet.traits[t].rating, sheet.traits[t].rating, sheet.traits[t].coin) for t in TRAITS))
    return Character(name, traits, misc_name, sheet.powers, sheet.twelfths, sheet.experience, sheet.career)


def to_sheet(character: Character) -> Sheet:
    """The sheet to save: wounds healed, burns undone, uses forgotten."""
    traits = SheetTraits(*(SheetTrait(character.traits[t].rating, character.traits[t].own_coin) for t in TRAITS))
    return Sheet(
        traits, character.misc_name, character.powers, character.twelfths, character.experience, character.career
    )


def linkable(options: CoinWarsOptions) -> tuple[TraitName, ...]:
    """The traits a power can be linked to: those that may meet a component (coin-wars.power.link)."""
    return COMPONENTS if options.misc_by == "misc" else TRAITS


def check_power(power: PowerName, trait: TraitName | None, options: CoinWarsOptions) -> None:
    """Raise IllegalAction unless powers are played and `trait` is given exactly where the power is linked to one."""
    if options.powers == "none":
        raise IllegalAction("coin-wars.power.allowed")
    if (trait is not None) != (power in LINKED):
        raise IllegalAction("coin-wars.power.link", power=power_word(power))
    if trait and trait not in linkable(options):
        raise IllegalAction("coin-wars.power.link.coolness")


class Purchase(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What experience is spent on: {"coin": trait}, {"rating": trait} or {"power": power} (with "trait" if linked)."""

    coin: TraitName | None = None
    rating: TraitName | None = None
    power: PowerName | None = None
    trait: TraitName | None = None

    @property
    def cost(self) -> int:
        return FAST_LEARNER_COST if self.power is PowerName.FAST_LEARNER else 1


def buy(character: Character, purchase: Purchase, options: CoinWarsOptions) -> Character:
    """The character with the purchase made and paid. Raises IllegalAction (clauses coin-wars.spend.*)."""
    wanted = [purchase.coin, purchase.rating, purchase.power]
    if options.experience == "none":
        raise IllegalAction("coin-wars.experience.allowed")
    if sum(each is not None for each in wanted) != 1 or (purchase.trait and not purchase.power):
        raise IllegalAction("coin-wars.spend.one")
    if purchase.power:
        check_power(purchase.power, purchase.trait, options)
        if purchase.power is PowerName.FAST_LEARNER and character.powers.fast_learner:
            raise IllegalAction("coin-wars.spend.fast-learner")
        if character.powers.rank(purchase.power, purchase.trait) >= HIGHEST:
            raise IllegalAction("coin-wars.spend.highest", highest=HIGHEST)
    if purchase.coin and character.traits[purchase.coin].own_coin is Denomination.QUARTER:
        raise IllegalAction("coin-wars.spend.coin", trait=trait_word(purchase.coin, character.misc_name))
    if purchase.rating and character.traits[purchase.rating].rating >= HIGHEST:
        raise IllegalAction("coin-wars.spend.highest", highest=HIGHEST)
    if character.experience < purchase.cost:
        raise IllegalAction("coin-wars.spend.points", name=character.name, has=character.experience, cost=purchase.cost)
    paid = msgspec.structs.replace(character, experience=character.experience - purchase.cost)
    if purchase.coin:
        old = paid.traits[purchase.coin]
        return paid.put(purchase.coin, msgspec.structs.replace(old, coin=stepped(old.coin, 1)))
    if purchase.rating:
        old = paid.traits[purchase.rating]
        return paid.put(purchase.rating, msgspec.structs.replace(old, rating=old.rating + 1, now=old.now + 1))
    assert purchase.power
    return msgspec.structs.replace(paid, powers=paid.powers.raised(purchase.power, purchase.trait))
