import { createHash } from "node:crypto";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { aKey, aStore, BUCKET, presign, type TestStore } from "../../test/a-store.js";
import { openRawConnection, putHead, send, type WireRequest } from "../../test/wire.js";

const BODY = "Grüße\n"; // 8 bytes in UTF-8, 6 in Latin-1
const CHUNKED = "it was sent in chunks (Transfer-Encoding: chunked)";

async function aUpload(store: TestStore, { type = "text/plain", md5 = false } = {}) {
  const input = {
    ContentType: type,
    ContentLength: Buffer.byteLength(BODY),
    ...(md5 ? { ContentMD5: createHash("md5").update(BODY).digest("base64") } : {}),
  };
  const sign = ["content-type", "content-length", ...(md5 ? ["content-md5"] : [])];
  const url = await presign(store.client, new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), ...input }), {
    sign,
  });
  return { url, headers: { "Content-Type": type, ...(md5 ? { "Content-MD5": input.ContentMD5! } : {}) } };
}

async function messageOf(answer: ReturnType<typeof send>): Promise<string> {
  const { status, code, text } = await answer;
  const message = /<Message>([^]*)<\/Message>/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  return `${status} ${code}: ${message}`;
}

describe("a refused PUT says what is wrong:", () => {
  test.each<[what: string, request: WireRequest, expected: string]>([
    [
      "chunks in place of a length",
      { body: BODY, isChunked: true },
      `The URL signs content-length, but the request has none: ${CHUNKED}`,
    ],
    [
      "another length, of a text in Latin-1",
      { body: Buffer.from(BODY, "latin1") },
      "The URL signs content-length 8, but the request has 6.",
    ],
    ["an empty body", { body: "" }, "The URL signs content-length 8, but the request has 0."],
    [
      "another type",
      { headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: BODY },
      "The URL signs content-type text/plain, but the request has application/x-www-form-urlencoded.",
    ],
    [
      "base64 of the bytes",
      { body: Buffer.from(Buffer.from(BODY).toString("base64")) },
      "The URL signs content-length 8, but the request has 12.",
    ],
    [
      "another length, far from the signed one",
      { body: "x".repeat(1000) },
      "Compare content-length with the size that the upload was requested with.",
    ],
    [
      "a charset that was added",
      { headers: { "Content-Type": "text/plain; charset=UTF-8" }, body: BODY },
      "The URL signs content-type text/plain, but the request has text/plain; charset=UTF-8.",
    ],
    [
      "a type that was sent twice",
      { headers: { "Content-Type": "text/plain, application/json" }, body: BODY },
      "The URL signs content-type text/plain, but the request has text/plain, application/json.",
    ],
    [
      "a form",
      { headers: { "Content-Type": "multipart/form-data; boundary=x" }, body: BODY },
      "The request sends a form: send the bytes of the file alone.",
    ],
    [
      "another type and another length",
      { headers: { "Content-Type": "text/plain; charset=utf-8" }, body: Buffer.from(BODY, "latin1") },
      "The URL signs content-type text/plain, but the request has text/plain; charset=utf-8. The URL signs content-length 8, but the request has 6.",
    ],
    [
      "another host",
      { headers: { Host: "files.example.com" }, body: BODY },
      "these signed headers: content-length 8, content-type text/plain, host files.example.com. One of them",
    ],
  ])("%s", async (_what, { headers, ...request }, expected) => {
    const upload = await aUpload(await aStore());
    const answer = send("PUT", upload.url, { headers: { ...upload.headers, ...headers }, ...request });
    const message = await messageOf(answer);
    expect(message).toContain(expected);
    expect(message).toMatch(/^403 SignatureDoesNotMatch: The request signature we calculated does not match/);
  });

  test.each(["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "image/heic"])(
    "a type that the client does not know: %s",
    async (type) => {
      const { url } = await aUpload(await aStore(), { type });
      const headers = { "Content-Type": "application/octet-stream" };
      expect(await messageOf(send("PUT", url, { headers, body: BODY }))).toContain(
        `The URL signs content-type ${type}, but the request has application/octet-stream.`,
      );
    },
  );

  test("no type", async () => {
    const { url } = await aUpload(await aStore());
    expect(await messageOf(send("PUT", url, { body: BODY }))).toContain(
      "The URL signs content-type, but the request has none: send every header",
    );
  });

  test("another name for the same host", async () => {
    const { url, headers } = await aUpload(await aStore());
    const Host = new URL(url).host.replace("127.0.0.1", "localhost");
    const message = await messageOf(send("PUT", url, { headers: { ...headers, Host }, body: BODY }));
    expect(message).toContain(`The URL signs host ${new URL(url).host}, but the request has ${Host}.`);
  });

  test("a Content-MD5 in hex, one of other bytes, and one that is none", async () => {
    const { url, headers } = await aUpload(await aStore(), { md5: true });
    const base64 = headers["Content-MD5"]!;
    const hex = Buffer.from(base64, "base64").toString("hex");
    const put = (md5: string, body = BODY) =>
      messageOf(send("PUT", url, { headers: { ...headers, "Content-MD5": md5 }, body }));
    expect(await put(hex)).toContain(`The URL signs content-md5 ${base64}, but the request has ${hex}.`);
    expect(await put(base64, "12345678")).toBe(
      "400 BadDigest: The digest or checksum you specified did not match what was received. Content-MD5 is not that of the 8 bytes that arrived.",
    );
  });

  test.each([
    ["another method", "POST", (url: string) => url, "The URL is signed for PUT, but the request is a POST."],
    [
      "a parameter that was added",
      "PUT",
      (url: string) => `${url}&utm_source=x`,
      "The query has a parameter",
    ],
    ["a hoisted header", "PUT", (url: string) => `${url}&x-amz-acl=public-read`, "The query has a parameter"],
    [
      "a query that was encoded twice",
      "PUT",
      (url: string) => url.replace("&x-id=PutObject", "&x-id=Put%254Fbject"),
      "The query was percent-encoded twice.",
    ],
    [
      "a slash too many",
      "PUT",
      (url: string) => url.replace("?", "/?"),
      "The path ends with a slash too many.",
    ],
  ])("%s", async (_what, method, change, expected) => {
    const { url, headers } = await aUpload(await aStore());
    expect(await messageOf(send(method, change(url), { headers, body: BODY }))).toContain(expected);
  });

  test("a header that was added, by its name and never with its value", async () => {
    const { url, headers } = await aUpload(await aStore());
    const answer = await send("PUT", url, { headers: { ...headers, "x-amz-meta-a": "secret" }, body: BODY });
    expect(answer.text).toContain("which were not signed: x-amz-meta-a. Send only the headers");
    expect(answer.text).toContain("<HeadersNotSigned>x-amz-meta-a</HeadersNotSigned>");
    expect(answer.text).not.toContain("secret");
  });

  test("a URL that has expired, and since when", async () => {
    const store = await aStore({ now: () => new Date("2026-03-01T12:10:00.250Z") });
    const command = new PutObjectCommand({ Bucket: BUCKET, Key: aKey() });
    const url = await presign(store.client, command, { signingDate: new Date("2026-03-01T12:00:00Z") });
    expect(await messageOf(send("PUT", url, { body: BODY }))).toContain(
      "403 AccessDenied: Request has expired. The URL worked for 300 seconds, until 2026-03-01T12:05:00Z; it is 2026-03-01T12:10:00Z.",
    );
  });

  test.each([
    ["from HTML", (url: string) => url.replaceAll("&", "&amp;"), "copied from HTML"],
    ["from JSON", (url: string) => url.replaceAll("&", "\\u0026"), "copied from the text of JSON"],
    [
      "with its & encoded",
      (url: string) => url.replaceAll("&", "%26"),
      "was percent-encoded: send the URL as",
    ],
    ["with its query encoded twice", (url: string) => url.replaceAll("%", "%25"), "percent-encoded twice"],
    ["without quotes in a shell", (url: string) => url.split("&")[0]!, "put it between quotes"],
  ])("a URL that was copied %s", async (_how, change, expected) => {
    const { url, headers } = await aUpload(await aStore());
    const message = await messageOf(send("PUT", change(url), { headers, body: BODY }));
    expect(message).toContain(expected);
    expect(message).toMatch(/^400 AuthorizationQueryParametersError/);
  });

  test("chunks, also where no length is signed", async () => {
    const store = await aStore();
    const url = await presign(store.client, new PutObjectCommand({ Bucket: BUCKET, Key: aKey() }));
    expect(await messageOf(send("PUT", url, { body: BODY, isChunked: true }))).toBe(
      "411 MissingContentLength: You must provide the Content-Length HTTP header. The request was sent in chunks (Transfer-Encoding: chunked).",
    );
  });

  test("no length and no body", async () => {
    const { url, headers } = await aUpload(await aStore());
    const raw = await openRawConnection(url);
    raw.socket.write(putHead(url, headers));
    expect(await raw.until(/<\/Error>/)).toContain(
      "The URL signs content-length, but the request has none. Send Content-Length",
    );
    raw.socket.destroy();
  });

  test("a length and chunks at once", async () => {
    const { url, headers } = await aUpload(await aStore());
    const raw = await openRawConnection(url);
    raw.socket.write(putHead(url, { ...headers, "Content-Length": "8", "Transfer-Encoding": "chunked" }));
    expect(await raw.until(/<\/Error>/)).toMatch(/^HTTP\/1.1 400 [^]*Content-Length and Transfer-Encoding/);
    raw.socket.destroy();
  });

  test("a wrong secret leaves only what was sent, and no answer quotes key, URL or signature", async () => {
    const { url, headers } = await aUpload(await aStore());
    const wrong = url.replace(/(X-Amz-Signature=).{8}/, "$100000000");
    const { text } = await send("PUT", wrong, { headers, body: BODY });
    expect(text).toContain(
      "The request is a PUT with these signed headers: content-length 8, content-type text/plain, host ",
    );
    for (const secret of [new URL(url).pathname, url.slice(-20), "X-Amz-Cred", "a secret"])
      expect(text).not.toContain(secret);
  });
});

test("a + in the query is a space, and %2B is a +", async () => {
  const store = await aStore();
  const Key = aKey();
  await store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: BODY }));
  const ResponseContentDisposition = 'attachment; filename="a b+c.txt"';
  const url = await presign(
    store.client,
    new GetObjectCommand({ Bucket: BUCKET, Key, ResponseContentDisposition }),
  );
  expect(url).toContain("%20");
  const { status, headers } = await send("GET", url.replaceAll("%20", "+"));
  expect([status, headers["content-disposition"]]).toEqual([200, ResponseContentDisposition]);
});

test("says that a + of the query was a %2B", async () => {
  const { client } = await aStore();
  const command = new GetObjectCommand({ Bucket: BUCKET, Key: "a", ResponseContentDisposition: "b+c" });
  const url = await presign(client, command);
  expect(await messageOf(send("GET", url.replaceAll("%2B", "+")))).toContain("A + of the query must be sent");
});
