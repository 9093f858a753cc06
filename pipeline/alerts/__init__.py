"""Alerts on their way out: routed by rule, repeats grouped, kept until delivered, signed.

    post = Post(record, routes, {"webhook:desk": Webhook(...)}, "Harbour")
    post.take_in()           # what is new in the record becomes deliveries, in one transaction with the place
    post.deliver("webhook:desk")

A delivery is made at least once: a process killed between handing over and writing it down hands over again, with the
same key, by which the receiver knows. What people do about an alert goes through `Record.act`.
"""

from pipeline.alerts.mqtt import MqttTarget
from pipeline.alerts.post import Post, Target
from pipeline.alerts.webhook import WebhookTarget, signature

__all__ = ["MqttTarget", "Post", "Target", "WebhookTarget", "signature"]
