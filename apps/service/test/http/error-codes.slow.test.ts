import { randomBytes } from "node:crypto";
import { errorCatalogue, type ErrorCode } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateApiKey } from "#projects/api-key.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anUpload, call } from "../fixtures/call.js";

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await aService({ STORAGE_EVENTS_SECRET: "a-secret-of-the-tests" });
  key = (await aProject({ defaultQuotaBytes: 10, maxFileBytes: 1000 })).apiKey;
});
afterAll(() => service.close());

const validBody = { tenant_id: "t", filename: "a.txt" };

interface Refused {
  code: ErrorCode;
  path?: string;
  /** Undefined: the valid key. Null: no key. */
  withKey?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

test.each<[string, Refused]>([
  ["no key", { code: "unauthorized", withKey: null, body: validBody }],
  ["an unknown key", { code: "unauthorized", withKey: generateApiKey(randomBytes), body: validBody }],
  ["broken JSON", { code: "invalid_json", body: "{" }],
  ["a member of the wrong type", { code: "invalid_request", body: { ...validBody, size: "1" } }],
  ["no filename", { code: "filename_required", body: { tenant_id: "t" } }],
  ["no tenant_id", { code: "tenant_id_required", body: { filename: "a" } }],
  ["a file that is too large", { code: "file_too_large", body: { ...validBody, size: 1001 } }],
  ["a file over the quota", { code: "quota_exceeded", body: { ...validBody, size: 11 } }],
  ["an unknown file", { code: "file_not_found", path: "/api/storage/download/", body: { file_path: "x" } }],
  ["an unknown path", { code: "not_found", path: "/nothing" }],
  ["an unknown path of the API", { code: "not_found", path: "/api/storage/nothing/", withKey: null }],
  ["another method", { code: "method_not_allowed" }],
  ["a broken URL", { code: "not_found", path: "/%zz" }],
  ["a body that is too large", { code: "body_too_large", body: { ...validBody, x: "x".repeat(65_536) } }],
  [
    "another media type",
    { code: "unsupported_media_type", body: "a", headers: { "Content-Type": "text/plain" } },
  ],
  [
    "a notification with another secret",
    { code: "unauthorized", path: "/internal/storage-events", withKey: null, body: {} },
  ],
  ["an unknown call of the dashboard", { code: "not_found", path: "/auth/nothing", body: {} }],
])("an error has its code in X-Error-Code, and only a detail in its body: %s", async (_what, given) => {
  const { code, path = "/api/storage/upload/", withKey = key, body, headers = {} } = given;
  const answer = await call(service.url + path, {
    ...(withKey === null ? {} : { key: withKey }),
    ...(body === undefined ? {} : { body }),
    headers,
  });
  expect([answer.status, answer.headers.get("x-error-code")]).toEqual([errorCatalogue[code].status, code]);
  expect(Object.keys(answer.body)).toEqual(["detail"]);
});

test("an upload that is not in storage is answered with its code", async () => {
  const { file_path } = await anUpload(service.url, key, { ...validBody, size: 1 });
  const answer = await call(`${service.url}/api/storage/complete/`, { key, body: { file_path } });
  expect([answer.status, answer.headers.get("x-error-code")]).toEqual([409, "upload_not_found"]);
});

test("a rate limit, an outage and a service that is not ready are answered with their codes", async () => {
  const limited = await aService({ RATE_LIMIT_PER_MINUTE: "1", S3_ENDPOINT: "http://127.0.0.1:1" });
  const { apiKey } = await aProject();
  const send = () => call(`${limited.url}/api/storage/upload/`, { key: apiKey, body: validBody });
  expect((await send()).headers.get("x-error-code")).toBeNull();
  expect((await send()).headers.get("x-error-code")).toBe("too_many_requests");
  const notReady = await call(`${limited.url}/readyz`);
  expect([notReady.status, notReady.headers.get("x-error-code")]).toEqual([503, "unavailable"]);
  await limited.close();

  const broken = await aService({ DATABASE_URL: "postgres://u:p@127.0.0.1:1/d", DATABASE_TIMEOUT_MS: "500" });
  const answer = await call(`${broken.url}/api/storage/upload/`, { key, body: validBody });
  expect([answer.status, answer.headers.get("x-error-code")]).toEqual([503, "unavailable"]);
  await broken.close();
});
