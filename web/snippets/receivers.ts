/** Programs that receive webhooks at a port of this machine, by the name of their language. */
export const receiver = (port: number): Record<string, string> => ({
  node: `// node hook.mjs
import { createServer } from 'node:http'

createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  console.log(text)
  response.end()
}).listen(${port}, '127.0.0.1')
`,
  python: `# python3 hook.py
from http.server import BaseHTTPRequestHandler, HTTPServer


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers['content-length'])
        print(self.rfile.read(length).decode(), flush=True)
        self.send_response(200)
        self.end_headers()


HTTPServer(('127.0.0.1', ${port}), Hook).serve_forever()
`,
  php: `<?php // php -S 127.0.0.1:${port} hook.php
file_put_contents('php://stderr', file_get_contents('php://input') . "\\n");
`,
})
