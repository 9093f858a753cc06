"""Signals in: lock-out, lights, shuffler, meter, supervisor, by HTTP and ZMQ; checked at the door, with clear answers.

POST /signals   Authorization: Bearer TOKEN
{"table": "CS-1", "event": {"type": "LockOutPressed"}, "id": "optional, told once however often it is sent"}
"""

from pipeline.signals.desk import Desk, Refusal, SenderKey
from pipeline.signals.http_door import HttpDoor
from pipeline.signals.zmq_door import ZmqDoor

__all__ = ["Desk", "HttpDoor", "Refusal", "SenderKey", "ZmqDoor"]
