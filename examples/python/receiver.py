import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(BaseHTTPRequestHandler):
    """Receives notifications on port 3000 and prints one line for each."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        # Answer first: the real service waits 500 ms. Do slow work afterwards.
        self.send_response(200)
        self.end_headers()
        data = json.loads(body)
        print(f"{data['topic']}: {data['resource']} for {data['user_id']}, attempt {data['attempts']}", flush=True)

    def log_message(self, *_):
        """Prints no access log."""


ThreadingHTTPServer(("127.0.0.1", 3000), Receiver).serve_forever()
