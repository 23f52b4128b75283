import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Authentication } from "../sigv4/authenticate.js";
import type { BodyClaims } from "./body-claims.js";
import { receiveBody } from "./receive-body.js";

const claims: BodyClaims = {
  sizeBytes: 10,
  framing: "chunks",
  md5: undefined,
  sha256: undefined,
  checksum: undefined,
  trailer: undefined,
};

async function receive(text: string) {
  async function* source() {
    yield Buffer.from(text);
  }
  const md5 = createHash("md5");
  const sink = { write: (chunk: Buffer) => void md5.update(chunk), end: () => md5.digest() };
  // Unsigned chunks need no authentication.
  return receiveBody({ source: source(), authentication: {} as Authentication }, claims, sink);
}

test("accepts a chunked body of the announced length", async () => {
  expect(await receive("5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n")).toMatchObject({ sizeBytes: 10 });
});

test.each(["crc32:+e65DA==", "undefined:1"])(
  "refuses the trailer x-amz-checksum-%s, which the request does not announce",
  async (trailer) => {
    const body = `a\r\nhelloworld\r\n0\r\nx-amz-checksum-${trailer}\r\n\r\n`;
    await expect(receive(body)).rejects.toMatchObject({ code: "InvalidRequest" });
  },
);

test.each([
  ["shorter", "5\r\nhello\r\n0\r\n\r\n"],
  ["longer", "b\r\nhello world\r\n0\r\n\r\n"],
])("refuses a chunked body that is %s than announced", async (_what, text) => {
  await expect(receive(text)).rejects.toMatchObject({ code: "IncompleteBody" });
});
