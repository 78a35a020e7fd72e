// Reads forms with busboy: a line of JSON in, a line of JSON out.
"use strict";

const readline = require("readline");
const busboy = require("busboy");

function read(contentType, body) {
  return new Promise((resolve) => {
    const parts = [];
    const fail = (error) => resolve({ error: String((error && error.message) || error) });
    let form;
    try {
      form = busboy({
        headers: { "content-type": contentType },
        defParamCharset: "utf8",
        preservePath: true,
      });
    } catch (error) {
      return fail(error);
    }
    form.on("error", fail);
    form.on("field", (name, value) => {
      if (value === undefined) return fail("a field in a charset it does not know");
      parts.push({ name, filename: null, content: Buffer.from(value).toString("base64") });
    });
    form.on("file", (name, stream, info) => {
      const part = { name, filename: info.filename === undefined ? null : info.filename };
      const pieces = [];
      parts.push(part);
      stream.on("error", fail);
      stream.on("data", (piece) => pieces.push(piece));
      stream.on("end", () => { part.content = Buffer.concat(pieces).toString("base64"); });
    });
    form.on("close", () => resolve({ parts }));
    form.end(body);
  });
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { type, body } = JSON.parse(line);
    const answer = await read(type, Buffer.from(body, "base64"));
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
}

main();
