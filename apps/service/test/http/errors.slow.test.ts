import { createServer, type Server } from "node:net";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateApiKey } from "#projects/api-key.js";
import { aNewKeyFor, aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { call } from "../fixtures/call.js";

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await aService();
  key = (await aProject()).apiKey;
});
afterAll(() => service.close());

const validBody = { tenant_id: "t", filename: "a.txt" };
const requestUpload = (body: unknown, headers?: Record<string, string>) =>
  call(`${service.url}/api/storage/upload/`, { key, body, ...(headers ? { headers } : {}) });

describe("validation", () => {
  const tooLong = "x".repeat(256);
  test.each<[string, unknown, string]>([
    ["no filename", { tenant_id: "t" }, "filename is required"],
    ["a null filename", { ...validBody, filename: null }, "filename is required"],
    ["an empty filename", { ...validBody, filename: "" }, "filename is required"],
    ["a blank filename", { ...validBody, filename: " \u3000 " }, "filename is required"],
    ["an empty object", {}, "filename is required"],
    ["no tenant_id", { filename: "a" }, "tenant_id is required"],
    ["a null tenant_id", { ...validBody, tenant_id: null }, "tenant_id is required"],
    ["an empty tenant_id", { ...validBody, tenant_id: "" }, "tenant_id is required"],
    ["a blank tenant_id", { ...validBody, tenant_id: "  " }, "tenant_id is required"],
    ["a number for a tenant_id", { ...validBody, tenant_id: 7 }, "tenant_id must be a string"],
    ["an object for a filename", { ...validBody, filename: {} }, "filename must be a string"],
    [
      "a tenant_id of 256 characters",
      { ...validBody, tenant_id: tooLong },
      "tenant_id must be at most 255 characters",
    ],
    [
      "a filename of 256 characters",
      { ...validBody, filename: tooLong },
      "filename must be at most 255 characters",
    ],
    ["a NUL character", { ...validBody, tenant_id: "a\0b" }, "tenant_id must not contain control characters"],
    ["a line break", { ...validBody, filename: "a\nb" }, "filename must not contain control characters"],
    [
      "a C1 control character",
      { ...validBody, filename: "a\u0085b" },
      "filename must not contain control characters",
    ],
    ["a lone surrogate", { ...validBody, tenant_id: "\ud800" }, "tenant_id must be valid Unicode"],
    [
      "a content_type without a slash",
      { ...validBody, content_type: "png" },
      'content_type must be a media type like "image/png"',
    ],
    [
      "a content_type with a line break",
      { ...validBody, content_type: "a/b\r\nX: y" },
      "content_type must not contain control characters",
    ],
    [
      "a content_type of 128 characters",
      { ...validBody, content_type: `a/${"b".repeat(126)}` },
      "content_type must be at most 127 characters",
    ],
    ["a content_type that is a number", { ...validBody, content_type: 1 }, "content_type must be a string"],
    ["a negative size", { ...validBody, size: -1 }, "size must be at least 0 bytes"],
    ["a fractional size", { ...validBody, size: 1.5 }, "size must be a whole number of bytes"],
    ["a size that is a string", { ...validBody, size: "5" }, "size must be a whole number of bytes"],
    [
      "a size above 5 GiB",
      { ...validBody, size: 5 * 1024 ** 3 + 1 },
      "size must be at most 5368709120 bytes",
    ],
    [
      "an MD5 that is too short",
      { ...validBody, content_md5: "abc" },
      "content_md5 must be a base64 MD5 of 24 characters",
    ],
    ["metadata that is a list", { ...validBody, metadata: ["a"] }, "metadata must be an object"],
    ["metadata with a number", { ...validBody, metadata: { a: 1 } }, "metadata members must be strings"],
    [
      "metadata with a NUL",
      { ...validBody, metadata: { a: "\0" } },
      "metadata must not contain control characters",
    ],
    [
      "17 metadata members",
      { ...validBody, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, ""])) },
      "metadata must have at most 16 members",
    ],
    [
      "metadata above 2 KiB",
      { ...validBody, metadata: { a: "é".repeat(1024) } },
      "metadata must be at most 2048 bytes",
    ],
    ["a body that is a list", [validBody], "Request body must be a JSON object"],
    ["a body that is null", "null", "Request body must be a JSON object"],
    ["broken JSON", '{"tenant_id":', "Request body must be valid JSON"],
    ["no body", "", "Request body must be valid JSON"],
    [
      "broken UTF-8",
      Buffer.from('{"tenant_id":"\xff","filename":"a"}', "latin1"),
      "Request body must be valid JSON",
    ],
  ])("answers 400 to %s", async (_what, body, detail) => {
    const answer = await requestUpload(body);
    expect(answer).toMatchObject({ status: 400, body: { detail } });
    expect(Object.keys(answer.body)).toEqual(["detail"]);
  });

  test("answers 400 to a file larger than the project's maximum", async () => {
    const small = await aProject({ maxFileBytes: 1000 });
    const url = `${service.url}/api/storage/upload/`;
    expect(await call(url, { key: small.apiKey, body: { ...validBody, size: 1001 } })).toMatchObject({
      status: 400,
      body: { detail: "size must be at most 1000 bytes" },
    });
    expect((await call(url, { key: small.apiKey, body: { ...validBody, size: 1000 } })).status).toBe(200);
    expect(await call(url, { key: small.apiKey, body: validBody })).toMatchObject({
      status: 200,
      body: { max_bytes: 1000 },
    });
  });

  test("answers 400 to a missing size if the project requires one", async () => {
    const strict = await aProject({ requireSize: true });
    const answer = await call(`${service.url}/api/storage/upload/`, { key: strict.apiKey, body: validBody });
    expect(answer).toMatchObject({ status: 400, body: { detail: "size is required" } });
  });
});

describe("authentication", () => {
  const unauthorized = { status: 401, body: { detail: "Unauthorized" } };
  const url = () => `${service.url}/api/storage/upload/`;

  test.each<[string, () => Promise<Record<string, string>> | Record<string, string>]>([
    ["no header", () => ({})],
    ["an empty header", () => ({ Authorization: "" })],
    ["another scheme", () => ({ Authorization: `Basic ${key}` })],
    ["no key", () => ({ Authorization: "Bearer " })],
    [
      "a mistyped key",
      () => ({ Authorization: `Bearer ${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}` }),
    ],
    ["two keys", () => ({ Authorization: `Bearer ${key} ${key}` })],
    [
      "a well-formed key that does not exist",
      () => ({ Authorization: `Bearer ${generateApiKey(randomBytes)}` }),
    ],
    [
      "a regenerated key",
      async () => {
        const project = await aProject();
        await aNewKeyFor(project);
        return { Authorization: `Bearer ${project.apiKey}` };
      },
    ],
  ])("answers 401 to %s, with any body", async (_what, headers) => {
    const given = await headers();
    for (const body of [validBody, {}, "{broken", "x".repeat(70_000)]) {
      const answer = await call(url(), { body, headers: given });
      expect(answer).toMatchObject(unauthorized);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(Object.keys(answer.body)).toEqual(["detail"]);
    }
    expect(
      await call(url(), { body: "x", headers: { ...given, "Content-Type": "text/plain" } }),
    ).toMatchObject(unauthorized);
  });

  test("accepts the Bearer scheme in any letter case", async () => {
    for (const scheme of ["bearer", "BEARER"]) {
      expect(
        (await call(url(), { body: validBody, headers: { Authorization: `${scheme} ${key}` } })).status,
      ).toBe(200);
    }
  });

  test("accepts a new key immediately, in the same project", async () => {
    const project = await aProject();
    const first = await call<{ file_path: string }>(url(), { key: project.apiKey, body: validBody });
    const { apiKey } = await aNewKeyFor(project);
    const second = await call<{ file_path: string }>(url(), { key: apiKey, body: validBody });
    const tenantOf = (path: string) => path.split("/").slice(0, 4).join("/");
    expect(tenantOf(second.body.file_path)).toBe(tenantOf(first.body.file_path));
  });

  test("answers 401 to a completion and to a list of files without a key", async () => {
    expect(await call(`${service.url}/api/storage/complete/`, { body: { file_path: "x" } })).toMatchObject(
      unauthorized,
    );
    expect(await call(`${service.url}/api/storage/files/`)).toMatchObject(unauthorized);
  });
});

test("the service answers 404 to an unknown path", async () => {
  for (const path of ["/nothing", "/api/storage/nothing/", "/api/storage/upload/x", "/%zz"]) {
    expect(await call(service.url + path, { key })).toMatchObject({
      status: 404,
      body: { detail: "Not found" },
    });
  }
});

test("the service answers 413 to a body over 64 KiB and accepts a body of exactly 64 KiB", async () => {
  const body = (bytes: number) => `{"filename":"a","tenant_id":"t","x":"${"y".repeat(bytes - 39)}"}`;
  expect(body(100)).toHaveLength(100);
  expect((await requestUpload(body(64 * 1024))).status).toBe(200);
  expect(await requestUpload(body(64 * 1024 + 1))).toMatchObject({
    status: 413,
    body: { detail: "Request body must be at most 65536 bytes" },
  });
});

test("the service answers 415 to a media type other than JSON", async () => {
  const refused = { status: 415, body: { detail: "Content-Type must be application/json" } };
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonx",
    "multipart/form-data",
  ]) {
    expect(await requestUpload(JSON.stringify(validBody), { "Content-Type": type })).toMatchObject(refused);
  }
  expect((await requestUpload(validBody, { "Content-Type": "application/json; charset=utf-8" })).status).toBe(
    200,
  );
});

test("the service answers 429 with Retry-After to a key over its rate limit, and to no other key", async () => {
  const limited = await aService({ RATE_LIMIT_PER_MINUTE: "3" });
  try {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const send = (apiKey: string) =>
      call(`${limited.url}/api/storage/upload/`, { key: apiKey, body: validBody });
    for (let i = 0; i < 3; i++) expect((await send(one.apiKey)).status).toBe(200);
    const refused = await send(one.apiKey);
    expect(refused).toMatchObject({ status: 429, body: { detail: "Too many requests" } });
    expect(Object.keys(refused.body)).toEqual(["detail"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect((await send(other.apiKey)).status).toBe(200);
  } finally {
    await limited.close();
  }
});

describe("during an outage the service", () => {
  const unavailable = { status: 503, body: { detail: "Service temporarily unavailable" } };

  async function expectUnavailable(
    settings: Record<string, string>,
    path: string,
    body: unknown,
  ): Promise<void> {
    const broken = await aService(settings);
    try {
      const startedAt = Date.now();
      const answer = await call(broken.url + path, { key, body });
      expect(answer).toMatchObject(unavailable);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(Date.now() - startedAt).toBeLessThan(15_000);
      expect(broken.log()).not.toContain(key);
    } finally {
      await broken.close();
    }
  }

  test("answers 503 with Retry-After within seconds when the database refuses connections", async () => {
    const settings = { DATABASE_URL: "postgres://u:p@127.0.0.1:1/d", DATABASE_TIMEOUT_MS: "1000" };
    await expectUnavailable(settings, "/api/storage/upload/", validBody);
    await expectUnavailable(settings, "/api/storage/upload/", "{broken");
  });

  test("answers 503 with Retry-After within seconds when the database accepts connections and never replies", async () => {
    const silent = await listenSilently();
    const settings = {
      DATABASE_URL: `postgres://u:p@127.0.0.1:${silent.port}/d`,
      DATABASE_TIMEOUT_MS: "1000",
    };
    await expectUnavailable(settings, "/api/storage/upload/", validBody);
    silent.close();
  });

  test("answers 503 with Retry-After within seconds to a completion when storage is down or does not reply", async () => {
    const { body } = await call<{ file_path: string }>(`${service.url}/api/storage/upload/`, {
      key,
      body: validBody,
    });
    const complete = { file_path: body.file_path };
    await expectUnavailable(
      { S3_ENDPOINT: "http://127.0.0.1:1", S3_TIMEOUT_MS: "500" },
      "/api/storage/complete/",
      complete,
    );
    const silent = await listenSilently();
    const settings = { S3_ENDPOINT: `http://127.0.0.1:${silent.port}`, S3_TIMEOUT_MS: "500" };
    await expectUnavailable(settings, "/api/storage/complete/", complete);
    silent.close();
  });

  test("admits an upload while only storage is down, because it signs URLs locally", async () => {
    const service = await aService({ S3_ENDPOINT: "http://127.0.0.1:1", S3_TIMEOUT_MS: "500" });
    expect((await call(`${service.url}/api/storage/upload/`, { key, body: validBody })).status).toBe(200);
    await service.close();
  });
});

test("every answer has its own X-Request-Id and must not be cached", async () => {
  const answers = [
    await requestUpload(validBody),
    await requestUpload({}),
    await call(`${service.url}/api/storage/upload/`, { body: validBody }),
    await call(`${service.url}/nothing`),
    await call(`${service.url}/healthz`),
  ];
  const ids = answers.map((answer) => answer.headers.get("x-request-id"));
  expect(ids.every((id) => id && /^[0-9a-f-]{36}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(answers.every((answer) => answer.headers.get("cache-control") === "no-store")).toBe(true);
});

async function listenSilently(): Promise<{ port: number; close(): void }> {
  const sockets = new Set<{ destroy(): void }>();
  const server: Server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
