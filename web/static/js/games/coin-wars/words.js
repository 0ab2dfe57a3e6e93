// The words of Coin Wars on the page: traits (the fifth has a name of its own), classes, powers.

import { t } from "../../i18n.js";

export const TRAITS = ["bodiness", "braininess", "personality", "coolness", "misc"];
export const COMPONENTS = ["bodiness", "braininess", "personality", "misc"];
export const POWERS = [
  "luck", "so-cool", "offensive", "defensive", "flamebait", "super-cool", "super-trait", "grabby-hands",
];
export const LINKED = ["offensive", "defensive", "super-trait"]; // each rank belongs to one trait
export const START_POINTS = 12;
export const CLASSES = { 3: "easy", 4: "mild", 6: "moderate", 8: "hard", 9: "very-hard" };

export const traitWord = (trait, miscName) => (trait === "misc" && miscName ? miscName : t(`wars.${trait}`));
