"""Prometheus metrics of a site: one gauge per figure, labelled by process; served on loopback unless configured."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pipeline.errors import BusError

STATES = ("down", "degraded", "ok")


class SiteCollector(Collector):
    """Turns a site's status into metrics when somebody asks."""

    def __init__(self, status: Callable[[], dict[str, Any]]) -> None:
        self._status = status

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics of this moment."""
        rows = self._status()["processes"]
        labels = ["process", "kind"]
        up = GaugeMetricFamily("pitwatch_process_state", "2 ok, 1 degraded, 0 down", labels=labels)
        restarts = GaugeMetricFamily("pitwatch_process_restarts", "Times it was started again", labels=labels)
        figures: dict[str, GaugeMetricFamily] = {}
        for row in rows:
            values = [row["process"], row["kind"]]
            up.add_metric(values, STATES.index(row["state"]))
            restarts.add_metric(values, row["restarts"])
            for name, value in row["gauges"].items():
                if name not in figures:
                    figures[name] = GaugeMetricFamily(
                        f"pitwatch_{name}", f"{name} of a process", labels=labels
                    )
                figures[name].add_metric(values, value)
        return [up, restarts, *figures.values()]


def serve_metrics(
    status: Callable[[], dict[str, Any]], address: str, port: int
) -> tuple[int, Callable[[], None]]:
    """Serve metrics; returns the port and a function that stops it."""
    registry = CollectorRegistry()
    registry.register(SiteCollector(status))
    try:
        server, thread = start_http_server(port, address, registry)
    except OSError as error:
        raise BusError(f"metrics: {address}:{port}: {error.strerror}") from None

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join(5)

    return int(server.server_port), stop
