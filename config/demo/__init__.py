"""Contents of the demo: matches, a season of rated results, competitions and talk."""
