"""Tally of many matches: points with their confidence interval, plies, time and memory."""

from dataclasses import dataclass, field
from math import sqrt

Z95 = 1.96  # standard deviations around the mean that hold 95 % of a normal distribution


def wilson_interval(points: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % confidence interval of a share of points, from 0 to 1."""
    if not games:
        return 0.0, 1.0
    share = points / games
    spread = Z95 * Z95 / games
    middle = (share + spread / 2) / (1 + spread)
    width = Z95 * sqrt(share * (1 - share) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, middle - width), min(1.0, middle + width)


@dataclass
class Tally:
    """The results of the first player of a pairing in one preset."""

    games: int = 0
    points: float = 0.0
    by_seat: list[float] = field(default_factory=lambda: [0.0, 0.0])
    games_by_seat: list[int] = field(default_factory=lambda: [0, 0])
    plies: int = 0
    no_progress: int = 0
    forfeits: list[str] = field(default_factory=list)
    differing_replays: int = 0
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    peak_kilobytes: list[int] = field(default_factory=lambda: [0, 0])

    def line(self, name: str) -> str:
        """The report's row, which begins with a name."""
        low, high = wilson_interval(self.points, self.games)
        share = 100 * self.points / max(1, self.games)
        seats = "/".join(
            f"{100 * points / max(1, games):.0f}"
            for points, games in zip(self.by_seat, self.games_by_seat, strict=True)
        )
        megabytes = "/".join(str(kilobytes // 1024) for kilobytes in self.peak_kilobytes)
        cpu_times = " | ".join(
            f"{_mean(seconds):.3f} {max(seconds, default=0.0):.2f}" for seconds in self.seconds
        )
        return (
            f"{name:24} {self.games:4} {share:5.1f} % ({100 * low:.0f}-{100 * high:.0f})"
            f"  seats {seats:>7}  plies {self.plies / max(1, self.games):4.0f}"
            f"  no progress {100 * self.no_progress / max(1, self.games):3.0f} %"
            f"  CPU s mean, max {cpu_times}  MB {megabytes}"
            f"  forfeits {len(self.forfeits)}  replays differ {self.differing_replays}"
        )


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
