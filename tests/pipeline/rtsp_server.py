"""A camera on loopback, run with the system's Python (GStreamer's RTSP server): obeys commands on standard input.

stall / go: stops and resumes sending without closing the connection; size W H: changes the resolution in mid-stream;
quit: the camera goes away. Prints the port when it serves.
"""

import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

LAUNCH = (
    "( videotestsrc is-live=true pattern=ball "
    "! capsfilter name=size caps=video/x-raw,width=320,height=240,framerate=25/1 "
    "! valve name=valve ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=12 threads=1 "
    "! rtph264pay name=pay0 pt=96 config-interval=-1 )"
)


def main() -> None:
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(sys.argv[1] if len(sys.argv) > 1 else "0")
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(LAUNCH)
    factory.set_shared(True)
    parts = {}

    def configure(_factory, media):
        element = media.get_element()
        parts["valve"], parts["size"] = element.get_by_name("valve"), element.get_by_name("size")

    factory.connect("media-configure", configure)
    server.get_mount_points().add_factory("/cam", factory)
    server.attach(None)
    loop = GLib.MainLoop()

    def obey(line):
        word, *rest = line.split()
        if word == "quit":
            loop.quit()
        elif word in ("stall", "go"):
            parts["valve"].set_property("drop", word == "stall")
        elif word == "size":
            caps = Gst.Caps.from_string(f"video/x-raw,width={rest[0]},height={rest[1]},framerate=25/1")
            parts["size"].set_property("caps", caps)
        return False

    def listen():
        for line in sys.stdin:
            GLib.idle_add(obey, line)
        GLib.idle_add(loop.quit)

    threading.Thread(target=listen, daemon=True).start()
    print(server.get_bound_port(), flush=True)
    loop.run()


main()
