"""How the house writes dates where Django knows them otherwise."""
