"""An HTTP server that stores uploads, for the rehearsal of release jobs.

uploads.py PORT FOLDER: answers on this port of 127.0.0.1 until it is stopped. The body of a PUT or POST request is stored under the last part of
its path. The file "requests" gets a line for each request: method, path, and the header field JOB-TOKEN.
"""

import http.server
import os
import sys

port, folder = sys.argv[1:]


class Handler(http.server.BaseHTTPRequestHandler):
    def store(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(os.path.join(folder, os.path.basename(self.path)), "wb") as file:
            file.write(body)
        with open(os.path.join(folder, "requests"), "a", encoding="utf-8") as file:
            file.write(f"{self.command} {self.path} {self.headers['JOB-TOKEN']}\n")
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_PUT = do_POST = store

    def log_message(self, *arguments):
        pass


http.server.HTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
