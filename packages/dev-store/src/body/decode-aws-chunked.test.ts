import { expect, test } from "vitest";
import type { Authentication } from "../sigv4/authenticate.js";
import { signingKey } from "../sigv4/signing-key.js";
import { chunkVerifier } from "./chunk-signatures.js";
import { decodeAwsChunked } from "./decode-aws-chunked.js";

async function decode(wire: Buffer | string, step = 1 << 20, signed?: Authentication) {
  const bytes = Buffer.from(wire);
  async function* arrivals() {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
  }
  const trailers = new Map<string, string>();
  const parts: Buffer[] = [];
  const verify = signed && chunkVerifier(signed, signed.claim.payloadHash.endsWith("-TRAILER"));
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
  expect((await decode(EXAMPLE_WIRE, step, EXAMPLE)).body).toBe("a".repeat(66_560));
});

test.each([
  ["a changed byte", EXAMPLE_WIRE.replace("aaa\r\n", "aab\r\n")],
  ["a changed signature", EXAMPLE_WIRE.replace("0055", "0056")],
  ["a chunk left out", EXAMPLE_WIRE.replace(/400;[^]*(?=0;chunk)/, "")],
])("refuses the example with %s", async (_what, wire) => {
  expect(wire).not.toBe(EXAMPLE_WIRE);
  await expect(decode(wire, 1000, EXAMPLE)).rejects.toMatchObject({ code: "SignatureDoesNotMatch" });
});

// The example in https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
const SIGNED_TRAILER: Authentication = {
  ...EXAMPLE,
  claim: {
    ...EXAMPLE.claim,
    signature: "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e",
    payloadHash: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
  },
};
const SIGNED_TRAILER_WIRE = [
  `10000;chunk-signature=b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2\r\n${"a".repeat(65536)}\r\n`,
  `400;chunk-signature=1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7\r\n${"a".repeat(1024)}\r\n`,
  "0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n",
  "x-amz-checksum-crc32c:sOO8/Q==\r\n",
  "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n",
].join("");

test("verifies the example of AWS with a signed trailer", async () => {
  expect(await decode(SIGNED_TRAILER_WIRE, 1000, SIGNED_TRAILER)).toEqual({
    body: "a".repeat(66_560),
    trailers: { "x-amz-checksum-crc32c": "sOO8/Q==" },
  });
});

test("accepts the line feed that MinIO's clients add to a trailer", async () => {
  const wire = SIGNED_TRAILER_WIRE.replace("sOO8/Q==\r\n", "sOO8/Q==\n\r\n");
  const { trailers } = await decode(wire, 1000, SIGNED_TRAILER);
  expect(trailers).toEqual({ "x-amz-checksum-crc32c": "sOO8/Q==" });
});

test.each([
  ["a changed trailer", SIGNED_TRAILER_WIRE.replace("sOO8", "sOO9")],
  ["a changed signature of the trailer", SIGNED_TRAILER_WIRE.replace("d81f", "d81e")],
  ["no signature of the trailer", SIGNED_TRAILER_WIRE.replace(/x-amz-trailer-signature:.*\r\n/, "")],
])("refuses the example with %s", async (_what, wire) => {
  expect(wire).not.toBe(SIGNED_TRAILER_WIRE);
  await expect(decode(wire, 1000, SIGNED_TRAILER)).rejects.toMatchObject({ code: "SignatureDoesNotMatch" });
});

test("refuses an unsigned chunk in a signed body", async () => {
  await expect(decode("1\r\nx\r\n0\r\n\r\n", 100, EXAMPLE)).rejects.toMatchObject({ code: "InvalidRequest" });
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
