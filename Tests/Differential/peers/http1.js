// Reads streams of HTTP/1.1 requests with Node's strict parser: a line of JSON each, and a line of
// JSON back with the requests that came out, and why it stopped if it did not read to the end.
"use strict";

const http = require("node:http");
const readline = require("node:readline");
const { Duplex } = require("node:stream");

// A connection without a socket: it reads what it is given, and drops what is written to it.
class Pretended extends Duplex {
  constructor(data) {
    super({ allowHalfOpen: true });
    this.push(data);
    this.push(null);
  }
  _read() {}
  _write(chunk, encoding, done) { done(); }
  setTimeout() { return this; }
  setNoDelay() { return this; }
  setKeepAlive() { return this; }
}

let found;

function take(request, response) {
  const seen = {
    method: request.method, target: request.url, fields: request.rawHeaders, body: "",
    complete: false,
  };
  const pieces = [];
  found.requests.push(seen);
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    seen.complete = request.complete;
    seen.body = Buffer.concat(pieces).toString("base64");
    response.end();
  });
  request.on("error", () => {});
}

const server = http.createServer(
  { insecureHTTPParser: false, requireHostHeader: false, requestTimeout: 0, headersTimeout: 0,
    keepAliveTimeout: 0, httpAllowHalfOpen: true }, take);
server.on("checkContinue", take);
server.on("checkExpectation", take);
server.on("connect", (request, socket) => {
  found.requests.push({ method: "CONNECT", target: request.url, fields: [], body: "",
    complete: true });
  socket.destroy();
});
server.on("clientError", (error, socket) => {
  found.error = found.error || error.code || String(error);
  // What was whole before the error is still to be handed out.
  setImmediate(() => setImmediate(() => socket.destroy()));
});

async function read(data) {
  found = { requests: [], error: null, methods: http.METHODS };
  const socket = new Pretended(data);
  await new Promise((resolve) => {
    const late = setTimeout(resolve, 200);
    socket.on("error", () => {});
    socket.on("close", () => { clearTimeout(late); resolve(); });
    server.emit("connection", socket);
  });
  socket.destroy();
  // What the end of the connection sets free still has its turn.
  await new Promise(setImmediate);
  return found;
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const answer = await read(Buffer.from(JSON.parse(line).data, "base64"));
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
})();
