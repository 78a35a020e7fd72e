"""From measurements to tables: medians over the rounds, of figures and of their ratios to nginx."""

import dataclasses
import statistics

REFERENCE = "nginx"


@dataclasses.dataclass
class Measurement:
    """One proxy under one workload in one round."""

    requests: int
    body_bytes: int  # of all requests
    seconds: float
    cpu_seconds: float
    p50: float
    p90: float
    p99: float
    p999: float
    peak_bytes: int

    @property
    def cpu_per_gigabyte(self):
        return self.cpu_seconds / self.body_bytes * 1e9

    @property
    def cpu_per_request(self):
        return self.cpu_seconds / self.requests

    @property
    def bytes_per_second(self):
        return self.body_bytes / self.seconds

    @property
    def requests_per_second(self):
        return self.requests / self.seconds


class Figures:
    """What one workload has shown: a list of measurements for each name, one a round."""

    def __init__(self, workload, rounds, hash_speeds):
        self.workload = workload
        self.rounds = rounds  # a dictionary of measurements by name for each round
        self.hash_speeds = hash_speeds  # bytes a CPU second, one a round
        self.names = list(rounds[0])

    def median(self, name, key):
        return statistics.median(getattr(one[name], key) for one in self.rounds)

    def ratio(self, name, key):
        """To nginx in the same round: what disturbs a round disturbs both."""
        if REFERENCE not in self.names:
            return float("nan")
        return statistics.median(
            getattr(one[name], key) / getattr(one[REFERENCE], key) for one in self.rounds)

    @property
    def cost(self):
        return "cpu_per_gigabyte" if self.workload.is_large else "cpu_per_request"

    def floors(self):
        """For each round what nginx costs, and SHA-256 of the same bytes by OpenSSL."""
        for one, speed in zip(self.rounds, self.hash_speeds):
            share = 1e9 if self.workload.is_large else self.workload.body
            yield getattr(one[REFERENCE], self.cost) + share / speed

    def over_floor(self, name):
        return statistics.median(
            getattr(one[name], self.cost) / floor for one, floor in zip(self.rounds, self.floors()))

    def shown_cost(self, seconds):
        return f"{seconds:.3f} s/GB" if self.workload.is_large else f"{seconds * 1e6:.1f} µs"

    def shown_rate(self, name):
        if self.workload.is_large:
            return f"{self.median(name, 'bytes_per_second') / 1e6:,.0f} MB/s"
        return f"{self.median(name, 'requests_per_second'):,.0f}/s"

    def table(self):
        """Everything about one workload."""
        rate = "bytes_per_second" if self.workload.is_large else "requests_per_second"
        yield (f"{'':20} {'CPU':>12} {'ratio':>6} {'rate':>12} {'ratio':>6} {'p50 ms':>9} "
               f"{'p90':>9} {'p99':>9} {'p99.9':>9} {'p99 ratio':>9} {'peak MB':>8} {'ratio':>6}")
        for name in self.names:
            times = " ".join(
                f"{self.median(name, key) * 1e3:9.2f}" for key in ("p50", "p90", "p99", "p999"))
            yield (f"{name:20} {self.shown_cost(self.median(name, self.cost)):>12} "
                   f"{self.ratio(name, self.cost):6.2f} {self.shown_rate(name):>12} "
                   f"{self.ratio(name, rate):6.2f} {times} {self.ratio(name, 'p99'):9.2f} "
                   f"{self.median(name, 'peak_bytes') / 1e6:8.1f} "
                   f"{self.ratio(name, 'peak_bytes'):6.2f}")
        if REFERENCE in self.names:
            yield (f"{'nginx + SHA-256':20} "
                   f"{self.shown_cost(statistics.median(self.floors())):>12}   "
                   f"Weir is {self.over_floor('Weir'):.2f} of it")


def markdown(all_figures):
    """The table for README: cost and ratio to nginx, and what the floor is."""
    names = all_figures[0].names
    yield "| CPU time | " + " | ".join(names) + " | nginx + SHA-256 |"
    yield "| --- |" + " --- |" * (len(names) + 1)
    for figures in all_figures:
        unit = "s/GB" if figures.workload.is_large else "µs"
        cells = []
        for name in names:
            cost = figures.shown_cost(figures.median(name, figures.cost)).split()[0]
            cells.append(f"{cost} ({figures.ratio(name, figures.cost):.2f})")
        floor = figures.shown_cost(statistics.median(figures.floors())).split()[0]
        yield f"| {figures.workload.name}, {unit} | " + " | ".join(cells) + f" | {floor} |"
