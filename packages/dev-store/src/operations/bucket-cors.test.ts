import {
  DeleteBucketCorsCommand,
  GetBucketCorsCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  type CORSRule,
} from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { aFolder, aKey, aStore, BUCKET, presign, refusalOf, type TestStore } from "../../test/a-store.js";
import { outcome, send } from "../../test/wire.js";

const ORIGIN = "http://localhost:5173";

function preflight(store: TestStore, method: string, { origin = ORIGIN, headers = "content-type" } = {}) {
  return send("OPTIONS", `${store.endpoint}/${BUCKET}/key`, {
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": headers,
    },
  });
}

const setCors = (store: TestStore, ...CORSRules: CORSRule[]) =>
  store.client.send(new PutBucketCorsCommand({ Bucket: BUCKET, CORSConfiguration: { CORSRules } }));

test("lets any page read and upload with any header by default, but not delete", async () => {
  const store = await aStore();
  for (const method of ["GET", "PUT", "HEAD"]) {
    const { status, headers } = await preflight(store, method, { headers: "content-type, x-amz-meta-a" });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, PUT, HEAD",
      "access-control-allow-headers": "content-type, x-amz-meta-a",
      "access-control-expose-headers": "ETag, Accept-Ranges, Content-Range, Content-Length, Content-Encoding",
      "access-control-max-age": "600",
    });
  }
  expect(await outcome(preflight(store, "DELETE"))).toBe("403 AccessForbidden");
  expect(await refusalOf(store.client.send(new GetBucketCorsCommand({ Bucket: BUCKET })))).toBe(
    "NoSuchCORSConfiguration",
  );
});

test("lets a page read an error: forbidden, malformed, missing, and of an unknown bucket", async () => {
  const store = await aStore();
  const url = await presign(
    store.client,
    new PutObjectCommand({ Bucket: BUCKET, Key: aKey(), ContentType: "a/b" }),
    {
      sign: ["content-type"],
    },
  );
  const asked = async (method: string, target: string) => {
    const { status, headers } = await send(method, target, { headers: { Origin: ORIGIN }, body: "x" });
    expect(headers["access-control-allow-origin"]).toBe("*");
    return status;
  };
  expect(await asked("PUT", url)).toBe(403);
  expect(await asked("PUT", url.replace("X-Amz-Expires=300", "X-Amz-Expires=x"))).toBe(400);
  const missing = await presign(store.client, new PutObjectCommand({ Bucket: "unknown", Key: "a" }));
  expect(await asked("PUT", missing)).toBe(404);
});

test("applies a configuration, also after a restart", async () => {
  const dir = await aFolder();
  const first = await aStore({ dir });
  const rules: CORSRule[] = [
    {
      ID: "app",
      AllowedOrigins: ["https://*.example.com"],
      AllowedMethods: ["PUT", "DELETE"],
      AllowedHeaders: ["Content-*"],
      ExposeHeaders: ["ETag", "x-amz-request-id"],
      MaxAgeSeconds: 60,
    },
  ];
  await setCors(first, ...rules);
  await first.stop();
  const store = await aStore({ dir });
  expect((await store.client.send(new GetBucketCorsCommand({ Bucket: BUCKET }))).CORSRules).toEqual(rules);
  const origin = "https://app.example.com";
  const allowed = await preflight(store, "DELETE", { origin });
  expect(allowed.headers).toMatchObject({
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "ETag, x-amz-request-id",
    "access-control-max-age": "60",
    vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  });
  expect(await outcome(preflight(store, "GET", { origin }))).toBe("403 AccessForbidden");
  expect(await outcome(preflight(store, "PUT", { origin: "https://example.com" }))).toBe(
    "403 AccessForbidden",
  );
  expect(await outcome(preflight(store, "PUT", { origin, headers: "x-other" }))).toBe("403 AccessForbidden");

  await store.client.send(new DeleteBucketCorsCommand({ Bucket: BUCKET }));
  expect(await outcome(preflight(store, "GET"))).toBe("200");
});

test.each<[string, CORSRule, string]>([
  ["an unknown method", { AllowedOrigins: ["*"], AllowedMethods: ["PATCH"] }, "InvalidRequest"],
  ["two wildcards", { AllowedOrigins: ["http://*.*"], AllowedMethods: ["PUT"] }, "InvalidRequest"],
  [
    "a header that would end the header",
    { AllowedOrigins: ["*"], AllowedMethods: ["PUT"], ExposeHeaders: ["a\r\nSet-Cookie: b"] },
    "InvalidRequest",
  ],
  ["no method", { AllowedOrigins: ["*"], AllowedMethods: [] }, "MalformedXML"],
])("refuses a rule with %s", async (_what, rule, code) => {
  expect(await refusalOf(setCors(await aStore(), rule))).toBe(code);
});
