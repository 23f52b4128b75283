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

describe("validation", () => {
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

  test("accepts a new key immediately, in the same project", async () => {
    const project = await aProject();
    const first = await call<{ file_path: string }>(url(), { key: project.apiKey, body: validBody });
    const { apiKey } = await aNewKeyFor(project);
    const second = await call<{ file_path: string }>(url(), { key: apiKey, body: validBody });
    const tenantOf = (path: string) => path.split("/").slice(0, 4).join("/");
    expect(tenantOf(second.body.file_path)).toBe(tenantOf(first.body.file_path));
  });
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

test("a tenant that asks in a loop beyond its own limit leaves the project's requests to the other tenants", async () => {
  const limited = await aService({ RATE_LIMIT_PER_MINUTE: "10", DEFAULT_UPLOADS_PER_MINUTE: "2" });
  try {
    const { apiKey } = await aProject();
    const statuses = async (tenant_id: string, times: number) => {
      const body = { tenant_id, filename: "a", size: 1 };
      const answers: number[] = [];
      for (let i = 0; i < times; i++)
        answers.push((await call(`${limited.url}/api/storage/upload/`, { key: apiKey, body })).status);
      return answers;
    };
    expect(await statuses("loop", 30)).toEqual([200, 200, ...Array<number>(28).fill(429)]);
    for (const tenant of ["a", "b", "c", "d"]) expect(await statuses(tenant, 2)).toEqual([200, 200]);
    // Requests that no tenant's limit refused count.
    expect(await statuses("e", 1)).toEqual([429]);
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
      expect(Date.now() - startedAt).toBeLessThan(60_000);
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
