import { expect, test } from "vitest";
import type { Authentication } from "../sigv4/authenticate.js";
import { signingKey } from "../sigv4/signing-key.js";
import { chunkVerifier } from "./chunk-signatures.js";
import { decodeAwsChunked } from "./decode-aws-chunked.js";

async function decode(wire: Buffer | string, step = 1 << 20, isSigned = false) {
  const bytes = Buffer.from(wire);
  async function* arrivals() {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
  }
  const trailers = new Map<string, string>();
  const parts: Buffer[] = [];
  const verify = isSigned ? chunkVerifier(EXAMPLE, false) : undefined;
  for await (const part of decodeAwsChunked(arrivals(), verify, trailers)) parts.push(Buffer.from(part));
  return { body: Buffer.concat(parts).toString(), trailers: Object.fromEntries(trailers) };
}

// The example in https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
const scope = { date: "20130524", region: "us-east-1", service: "s3" };
const EXAMPLE: Authentication = {
  key: signingKey("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", scope),
  claim: {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    scope,
    amzDate: "20130524T000000Z",
    signedHeaders: ["host"],
    signature: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
    payloadHash: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
  },
};
const EXAMPLE_WIRE = [
  `10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n${"a".repeat(65536)}\r\n`,
  `400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n${"a".repeat(1024)}\r\n`,
  "0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n",
].join("");

test.each([1, 7, 1000, 1 << 20])("verifies the example of AWS in pieces of %i bytes", async (step) => {
  expect((await decode(EXAMPLE_WIRE, step, true)).body).toBe("a".repeat(66_560));
});

test.each([
  ["a changed byte", EXAMPLE_WIRE.replace("aaa\r\n", "aab\r\n")],
  ["a changed signature", EXAMPLE_WIRE.replace("0055", "0056")],
  ["a chunk left out", EXAMPLE_WIRE.replace(/400;[^]*(?=0;chunk)/, "")],
])("refuses the example with %s", async (_what, wire) => {
  expect(wire).not.toBe(EXAMPLE_WIRE);
  await expect(decode(wire, 1000, true)).rejects.toMatchObject({ code: "SignatureDoesNotMatch" });
});

test("refuses an unsigned chunk in a signed body", async () => {
  await expect(decode("1\r\nx\r\n0\r\n\r\n", 100, true)).rejects.toMatchObject({ code: "InvalidRequest" });
});

test.each([1, 2, 1 << 20])("decodes chunks and trailers in pieces of %i bytes", async (step) => {
  expect(await decode("5\r\nhello\r\n1\r\n!\r\n0\r\nX-Amz-Checksum-Crc32:abc=\r\n\r\n", step)).toEqual({
    body: "hello!",
    trailers: { "x-amz-checksum-crc32": "abc=" },
  });
});

test.each([
  ["cut in a chunk", "5\r\nhel", "IncompleteBody"],
  ["cut before the last chunk", "5\r\nhello\r\n", "IncompleteBody"],
  ["a malformed size", "x\r\n", "InvalidRequest"],
  ["a negative size", "-5\r\nhello\r\n", "InvalidRequest"],
  ["an absurd size", "fffffffffffff\r\n", "InvalidRequest"],
  ["a chunk longer than its header says", "3\r\nhello\r\n0\r\n\r\n", "InvalidRequest"],
  ["an endless line", "0".repeat(5000), "InvalidRequest"],
  ["bytes after the end", "0\r\n\r\nmore", "InvalidRequest"],
  ["a trailer without a colon", "0\r\nnothing\r\n\r\n", "InvalidRequest"],
])("refuses a body with %s", async (_what, wire, code) => {
  await expect(decode(wire, 100)).rejects.toMatchObject({ code });
});
