"""How near predictions are to public measurements."""
