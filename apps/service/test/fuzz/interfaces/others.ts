import fc from "fast-check";
import { signInCalls } from "#auth/sign-in.js";
import { exportedLists } from "#http/routes/exports.js";
import type { RequestParts } from "../http-request.js";
import { oddText, oddValue } from "../odd-values.js";
import type { Known } from "../of-schema.js";

type Headers = RequestParts["headers"];

/** Requests to every call below `/auth`. */
export function authRequests(cookie: string, origin: string, known: Known): fc.Arbitrary<RequestParts> {
  const text = (name: string) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...(known[name] ?? ["x"])) },
      { weight: 1, arbitrary: oddValue },
    );
  const bodies = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        code: fc.oneof(fc.constantFrom("000000", "123456"), oddText),
        trustDevice: oddValue,
      }),
    },
    { weight: 3, arbitrary: fc.record({ password: text("password"), issuer: oddValue }) },
    {
      weight: 1,
      arbitrary: fc.record({ email: text("email"), password: text("password") }, { requiredKeys: [] }),
    },
    { weight: 2, arbitrary: oddValue },
  );
  // Each password that is checked takes a core for some 100 ms, so most sign-ins are refused before that.
  const calls = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...signInCalls.filter((call) => !/email|password/.test(call))) },
    { weight: 1, arbitrary: fc.constantFrom(...signInCalls) },
  );
  const headers: Headers[] = [
    [
      ["Cookie", cookie],
      ["Origin", origin],
    ],
    [
      ["Cookie", `${cookie}x; stowage.two_factor=x.y; stowage.session_data=x`],
      ["Origin", origin],
    ],
    [["Origin", origin]],
  ];
  return fc
    .record({ call: calls, body: bodies, headers: fc.constantFrom(...headers) })
    .map(({ call, ...rest }) => ({ method: "POST", path: `/auth${call}`, query: {}, ...rest }));
}

/** Notifications of storage in each format. */
export function eventRequests(secret: string, bucket: string, known: Known): fc.Arbitrary<RequestParts> {
  const or = (values: unknown[]) =>
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: oddValue });
  const record = fc
    .tuple(or([bucket]), or(known["file_path"]!), or(["ObjectCreated:Put", "ObjectRemoved:Delete"]))
    .map(([name, key, eventName]) => ({ eventName, s3: { bucket: { name }, object: { key } } }));
  const records = fc.record({
    Records: fc.oneof(fc.array(fc.oneof(record, oddValue), { maxLength: 5 }), oddValue),
  });
  const bridge = record.map(({ s3 }) => ({
    source: "aws.s3",
    detail: { bucket: s3.bucket, object: s3.object },
  }));
  const sns = fc
    .record({
      Type: or(["Notification", "SubscriptionConfirmation"]),
      TopicArn: or(["arn:aws:sns:us-east-1:123456789012:topic"]),
      Message: fc.oneof(
        records.map((message) => JSON.stringify(message)),
        oddText,
      ),
      MessageId: or(["m"]),
      Timestamp: or(["2026-11-23T00:00:00.000Z"]),
      SignatureVersion: or(["1", "2"]),
      Signature: or(["c2lnbmF0dXJl"]),
      SigningCertURL: or(["https://sns.us-east-1.amazonaws.com/x.pem", "https://127.0.0.1/x.pem"]),
      SubscribeURL: or(["https://127.0.0.1:1/"]),
    })
    .map((message) => message as object);
  const body = fc.oneof(records, bridge, sns, oddValue, fc.constant({ Event: "s3:TestEvent" }));
  const authorization = fc.oneof(
    { weight: 8, arbitrary: fc.constant(`Bearer ${secret}`) },
    { weight: 1, arbitrary: fc.constantFrom("Basic eA==", "Basic x:y", "Bearer", "Bearer x") },
  );
  return fc.tuple(body, authorization).map(([sent, value]) => ({
    method: "POST",
    path: "/internal/storage-events",
    query: {},
    headers: [["Authorization", value]],
    body: sent,
  }));
}

/** Visits of share links, with and without the password that one of them asks for. */
export function linkRequests(urls: string[], password: string): fc.Arbitrary<RequestParts> {
  const paths = urls.map((url) => new URL(url).pathname);
  const path = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...paths) },
    { weight: 1, arbitrary: fc.constantFrom(...paths.map((known) => known.slice(0, -1) + "x")) },
    { weight: 1, arbitrary: oddText.map((text) => `/s/${encodeURIComponent(text.toWellFormed())}`) },
  );
  const form = fc
    .oneof(fc.constant(password), oddText)
    .map((sent) => Buffer.from(new URLSearchParams({ password: sent.toWellFormed() }).toString()));
  const accept = fc.constantFrom("text/html", "*/*");
  const visit = fc.record({ method: fc.constantFrom("GET", "HEAD"), path, accept });
  const entry = fc.record({ method: fc.constant("POST"), path, accept, bytes: form });
  // A password that is compared takes a core for some 100 ms.
  return fc
    .oneof({ weight: 9, arbitrary: visit }, { weight: 1, arbitrary: entry })
    .map(({ accept: value, ...rest }): RequestParts => ({
      query: {},
      headers: [
        ["Accept", value],
        ["Content-Type", "application/x-www-form-urlencoded"],
      ],
      ...rest,
    }));
}

/** The exports, the pages, their assets and the documentation. */
export function pageRequests(cookie: string, known: Known): fc.Arbitrary<RequestParts> {
  const paths = [
    ...exportedLists.map((list) => `/dashboard/export/${list}.csv`),
    "/",
    "/projects",
    "/assets/a.js",
    "/assets/",
    "/favicon.svg",
    "/docs",
    "/docs/api.md",
    "/docs/errors/x.md",
    "/openapi.json",
    "/openapi-3.0.json",
    "/healthz",
    "/readyz",
    "/index.html",
    "/auth/callback/oidc",
    "/internal/x",
    "/api",
    "/trpc",
    "/auth",
  ];
  const query = fc.record(
    {
      projectRef: fc.oneof(fc.constantFrom(...known["projectRef"]!), oddText),
      q: oddText,
      sort: fc.oneof(fc.constantFrom("name", "-createdAt", "usedBytes"), oddText),
      status: oddText,
      tenantId: fc.oneof(fc.constantFrom(...known["tenantId"]!), oddText),
      from: oddText,
      to: oddText,
      code: oddText,
      state: oddText,
      error: oddText,
      cursor: fc.oneof(fc.constantFrom(...known["cursor"]!), oddText),
    },
    { requiredKeys: ["projectRef"] },
  );
  const accept: Headers = [["Accept", "text/html"]];
  return fc
    .record({ path: fc.constantFrom(...paths), query, isPage: fc.boolean() })
    .map(({ path, query: sent, isPage }) => ({
      method: "GET",
      path,
      query: sent,
      headers: [["Cookie", cookie], ...(isPage ? accept : [])],
    }));
}
