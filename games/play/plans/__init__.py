"""Plans: conditional moves merged, checked when they are entered, judged, and put in words."""
