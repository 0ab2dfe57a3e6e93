"""A club: many tables heard through a broker, their rulings kept, players rated, tournaments played."""
