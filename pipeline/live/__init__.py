"""Around the clock: the processes of one site, who starts them again, how they are, and what they say to each other.

A site has, per camera, a capture (`camera:TABLE/CAMERA`: source, tape, shared memory); per table a watch
(`table:TABLE`: eyes, interpretation, monitor, record); and for the house the post (alerts out), the door (signals in),
the keeper (retention, disk) and the room. `pitwatch watch` supervises them; each beats on the bus, and one that is
silent is ended and started again.
"""
