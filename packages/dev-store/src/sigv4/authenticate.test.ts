import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import {
  aClient,
  aKey,
  aStore,
  BUCKET,
  CREDENTIALS,
  presign,
  refusalOf,
  type TestStore,
} from "../../test/a-store.js";
import { outcome, send } from "../../test/wire.js";

const body = "x";

async function aPutUrl(store: TestStore, options?: Parameters<typeof presign>[2]): Promise<string> {
  return presign(store.client, new PutObjectCommand({ Bucket: BUCKET, Key: aKey() }), options);
}

describe("a presigned URL", () => {
  test("is accepted for the request that it signs", async () => {
    const url = await aPutUrl(await aStore());
    expect(await outcome(send("PUT", url, { body }))).toBe("200");
  });

  test.each<[what: string, change: (url: string) => string]>([
    [
      "signature",
      (url) => url.replace(/(X-Amz-Signature=)(.)/, (_, name, digit) => name + (digit === "0" ? "1" : "0")),
    ],
    ["key", (url) => url.replace(".txt?", ".exe?")],
    ["lifetime", (url) => url.replace("X-Amz-Expires=300", "X-Amz-Expires=86400")],
    ["query, by a parameter", (url) => `${url}&acl=`],
    ["query, by a hoisted header", (url) => `${url}&x-amz-acl=public-read`],
    ["date", (url) => url.replace(/(X-Amz-Date=\d{8}T\d{4})\d\d/, "$100")],
  ])("is refused after a change of its %s", async (_what, change) => {
    const store = await aStore({ now: () => new Date("2026-03-01T12:00:30Z") });
    const url = await aPutUrl(store, { signingDate: new Date("2026-03-01T12:00:07Z") });
    expect(change(url)).not.toBe(url);
    expect(await outcome(send("PUT", change(url), { body }))).toBe("403 SignatureDoesNotMatch");
  });

  test("is refused for another method", async () => {
    const url = await aPutUrl(await aStore());
    for (const method of ["DELETE", "GET", "POST"])
      expect(await outcome(send(method, url))).toBe("403 SignatureDoesNotMatch");
  });

  test.each([
    ["in its last second", 299, "200"],
    ["after its lifetime", 300, "403 AccessDenied"],
    ["15 minutes before its date", -900, "200"],
    ["more than 15 minutes before its date", -901, "403 AccessDenied"],
  ])("gets the right answer %s", async (_when, seconds, expected) => {
    const signingDate = new Date("2026-03-01T12:00:00Z");
    const store = await aStore({ now: () => new Date(signingDate.getTime() + seconds * 1000) });
    const url = await aPutUrl(store, { signingDate, expiresIn: 300 });
    expect(await outcome(send("PUT", url, { body }))).toBe(expected);
  });

  test.each<[what: string, pattern: RegExp, value: string]>([
    ["no signature", /&X-Amz-Signature=[^&]*/, ""],
    ["no credential", /&X-Amz-Credential=[^&]*/, ""],
    ["a signature that is not hex", /Signature=.{64}/, `Signature=${"z".repeat(64)}`],
    ["more than a week", /Expires=300/, "Expires=604801"],
    ["no lifetime", /Expires=300/, "Expires=0"],
    ["an absurd lifetime", /Expires=300/, "Expires=1e3"],
    ["an impossible date", /Date=\d{8}/, "Date=20269999"],
    ["a host that is not signed", /SignedHeaders=host/, "SignedHeaders=date"],
    ["another region", /us-east-1/, "eu-west-1"],
    ["another service", /%2Fs3%2F/, "%2Fsns%2F"],
    ["a day that differs from the signing date", /(Credential=[^&]*?%2F)\d{8}/, "$120200101"],
    ["another algorithm", /AWS4-HMAC-SHA256/, "AWS4-HMAC-MD5"],
  ])("is malformed with %s", async (_what, pattern, value) => {
    const url = await aPutUrl(await aStore());
    expect(await outcome(send("PUT", url.replace(pattern, value), { body }))).toBe(
      "400 AuthorizationQueryParametersError",
    );
  });

  test("is refused if a parameter appears twice", async () => {
    const url = await aPutUrl(await aStore());
    expect(await outcome(send("PUT", `${url}&X-Amz-Expires=300`, { body }))).toBe("400 InvalidArgument");
  });

  test("is refused with an unknown key, a wrong secret or a session token", async () => {
    const store = await aStore();
    const by = async (credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }) =>
      outcome(
        send("PUT", await aPutUrl({ ...store, client: aClient(store.endpoint, { credentials }) }), { body }),
      );
    expect(await by({ ...CREDENTIALS, accessKeyId: "NOBODY" })).toBe("403 InvalidAccessKeyId");
    expect(await by({ ...CREDENTIALS, secretAccessKey: "guess" })).toBe("403 SignatureDoesNotMatch");
    expect(await by({ ...CREDENTIALS, sessionToken: "token" })).toBe("400 InvalidToken");
  });
});

test("temporary keys are accepted with their token, in URLs and headers, until they end", async () => {
  const expiration = new Date("2026-03-01T12:15:00Z");
  let now = new Date("2026-03-01T12:00:00Z");
  const session = { secretAccessKey: "temporary", sessionToken: "a/token+=", expiration };
  const findSession = (id: string) => (id === "ASIA" ? session : undefined);
  const store = await aStore({ now: () => now, findSession });
  const object = { Bucket: BUCKET, Key: aKey() };
  const by = async (keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }) => {
    const client = aClient(store.endpoint, { credentials: keys, systemClockOffset: +now - Date.now() });
    const url = await presign(client, new PutObjectCommand(object), { signingDate: now });
    const inUrl = await outcome(send("PUT", url, { body }));
    const inHeaders = client.send(new PutObjectCommand({ ...object, Body: body })).then(() => "200");
    return [inUrl, await inHeaders.catch((error: Error) => error.name)];
  };
  const keys = { accessKeyId: "ASIA", ...session };
  expect(await by(keys)).toEqual(["200", "200"]);
  expect(await by(CREDENTIALS)).toEqual(["200", "200"]);
  expect(await by({ ...keys, sessionToken: "another" })).toEqual(["400 InvalidToken", "InvalidToken"]);
  expect(await by({ accessKeyId: "ASIA", secretAccessKey: "temporary" })).toEqual([
    "403 InvalidAccessKeyId",
    "InvalidAccessKeyId",
  ]);
  expect(await by({ ...keys, secretAccessKey: "guess" })).toEqual([
    "403 SignatureDoesNotMatch",
    "SignatureDoesNotMatch",
  ]);
  now = expiration;
  expect(await by(keys)).toEqual(["400 ExpiredToken", "ExpiredToken"]);
});

test("a refusal names the region that the signature must have", async () => {
  const { endpoint } = await aStore({ region: "eu-west-1" });
  const url = await presign(aClient(endpoint), new HeadObjectCommand({ Bucket: BUCKET, Key: "a" }));
  const { text, headers } = await send("GET", url);
  expect(text).toContain("<Region>eu-west-1</Region>");
  expect(headers["x-amz-bucket-region"]).toBe("eu-west-1");
});

describe("a header", () => {
  test.each(["x-amz-acl", "x-amz-copy-source", "x-amz-meta-evil", "x-amz-tagging", "x-amz-anything"])(
    "%s is refused if it is not signed, and nothing is stored",
    async (name) => {
      const store = await aStore();
      const Key = aKey();
      const url = await presign(store.client, new PutObjectCommand({ Bucket: BUCKET, Key }));
      expect(await outcome(send("PUT", url, { headers: { [name]: "1" }, body }))).toBe("403 AccessDenied");
      expect(await refusalOf(store.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key })))).toBe(
        "NotFound",
      );
    },
  );

  test("that is signed must be sent with the signed value", async () => {
    const store = await aStore();
    const command = new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), ContentType: "text/plain" });
    const url = await presign(store.client, command, { sign: ["content-type"] });
    const put = (headers: Record<string, string>) => outcome(send("PUT", url, { headers, body }));
    expect(await put({})).toBe("403 SignatureDoesNotMatch");
    expect(await put({ "Content-Type": "" })).toBe("403 SignatureDoesNotMatch");
    expect(await put({ "Content-Type": "text/html" })).toBe("403 SignatureDoesNotMatch");
    expect(await put({ "Content-Type": "text/plain; charset=utf-8" })).toBe("403 SignatureDoesNotMatch");
    expect(await put({ "Content-Type": "text/plain" })).toBe("200");
  });
});

describe("an Authorization header", () => {
  test.each([
    [0, "nothing"],
    [14 * 60, "nothing"],
    [-14 * 60, "nothing"],
    [16 * 60, "RequestTimeTooSkewed"],
    [-16 * 60, "RequestTimeTooSkewed"],
  ])("%i s away from the store's clock is refused with %s", async (seconds, expected) => {
    const store = await aStore({ now: () => new Date(Date.now() + seconds * 1000) });
    const got = store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), Body: body }));
    expect(expected === "nothing" ? await got.then(() => "nothing") : await refusalOf(got)).toBe(expected);
  });

  test("that is not SigV4 is malformed", async () => {
    const store = await aStore();
    const answer = send("GET", `${store.endpoint}/${BUCKET}/a`, {
      headers: { Authorization: "AWS key:signature" },
    });
    expect(await outcome(answer)).toBe("400 AuthorizationHeaderMalformed");
  });

  test("is refused together with a presigned URL", async () => {
    const url = await aPutUrl(await aStore());
    const answer = send("PUT", url, { headers: { Authorization: "AWS4-HMAC-SHA256 Credential=x" }, body });
    expect(await outcome(answer)).toBe("400 InvalidArgument");
  });

  test("with the payload hash of another body stores nothing", async () => {
    const store = await aStore();
    const Key = aKey();
    const client = aClient(store.endpoint);
    client.middlewareStack.add(
      (next) => (args) => {
        (args.request as { body: unknown }).body = "forged";
        return next(args);
      },
      { step: "finalizeRequest", name: "forge", priority: "low" },
    );
    const put = client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: "honest" }));
    expect(await refusalOf(put)).toBe("XAmzContentSHA256Mismatch");
    expect(await refusalOf(store.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key })))).toBe(
      "NotFound",
    );
  });
});

test("refuses a request that is not signed at all", async () => {
  const store = await aStore();
  const Key = aKey();
  await store.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: body }));
  for (const method of ["GET", "PUT", "DELETE", "POST"])
    expect(await outcome(send(method, `${store.endpoint}/${BUCKET}/${Key}`))).toBe("403 AccessDenied");
  expect((await send("HEAD", `${store.endpoint}/${BUCKET}/${Key}`)).status).toBe(403);
});

test("does not quote the signature or the key in an error", async () => {
  const store = await aStore();
  const url = await presign(store.client, new GetObjectCommand({ Bucket: BUCKET, Key: "a" }));
  const { text } = await send("PUT", url, { body });
  expect(text).not.toMatch(/Signature=|AWS4|a secret|X-Amz/);
});
