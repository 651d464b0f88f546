import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(BaseHTTPRequestHandler):
    """Receives notifications on port 3000 and prints one line for each."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        # Answer first: the real service waits 500 ms. Do slow work afterwards.
        self.send_response(200)
        self.end_headers()
        notification = json.loads(body)
        print(f"{notification['topic']}: {notification['resource']} for {notification['user_id']}, attempt {notification['attempts']}", flush=True)


ThreadingHTTPServer(("127.0.0.1", 3000), Receiver).serve_forever()
