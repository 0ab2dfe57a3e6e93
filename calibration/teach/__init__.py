"""Teaching a map: a player's own Coin Age card, photographed once, its corners and spaces tapped."""
