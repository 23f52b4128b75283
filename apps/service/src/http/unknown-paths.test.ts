import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anApp } from "../../test/fixtures/an-app.js";

let dashboardDir: string;
beforeAll(async () => {
  dashboardDir = await mkdtemp(join(tmpdir(), "stowage-dashboard-"));
  await mkdir(join(dashboardDir, "assets"));
  await writeFile(join(dashboardDir, "index.html"), "<title>The dashboard</title>");
});
afterAll(() => rm(dashboardDir, { recursive: true }));

describe.each([
  ["with the dashboard", () => dashboardDir],
  ["without the dashboard", () => "none"],
])("the service %s", (_which, dir) => {
  let app: FastifyInstance;
  beforeAll(async () => void (app = await anApp({ dashboardDir: dir(), docsDir: "none", version: "1.2.3" })));
  afterAll(() => app.close());

  const send = async (method: string, url: string, headers: Record<string, string> = {}, payload = "") => {
    const answer = await app.inject({
      method: method as "GET",
      url,
      headers,
      ...(payload ? { payload } : {}),
    });
    return {
      status: answer.statusCode,
      code: answer.headers["x-error-code"],
      allow: answer.headers.allow,
      body: answer.body,
    };
  };
  const refused = (allow: string) => ({
    status: 405,
    code: "method_not_allowed",
    allow,
    body: '{"detail":"Method not allowed"}',
  });
  const unknown = { status: 404, code: "not_found", allow: undefined, body: '{"detail":"Not found"}' };

  test.each([
    ["GET", "/api/storage/upload/", "POST"],
    ["GET", "/api/storage/upload", "POST"],
    ["GET", "/api/storage/upload/?tenant_id=t", "POST"],
    ["GET", "/api/storage/up%6Coad/", "POST"],
    ["PUT", "/api/storage/delete/", "POST"],
    ["DELETE", "/api/storage/file/", "GET, HEAD"],
    ["POST", "/api/storage/files/?limit=1", "GET, HEAD"],
    ["POST", "/api/storage/quota", "PUT"],
    ["PATCH", "/api/storage/usage/", "GET, HEAD"],
    ["OPTIONS", "/api/storage/tenants/", "GET, HEAD"],
    ["POST", "/healthz/", "GET, HEAD"],
    ["DELETE", "/openapi.json", "GET, HEAD"],
    ["DELETE", "/openapi-3.0.json", "GET, HEAD"],
    ["GET", "/auth/sign-in/email", "POST"],
    ["POST", "/dashboard/export/files.csv", "GET, HEAD"],
  ])(
    "answers 405 with all methods of a known path to another method, without a key: %s %s",
    async (method, url, allow) => {
      expect(await send(method, url)).toEqual(refused(allow));
    },
  );

  test("answers 405 to a HEAD of a path that has no GET", async () => {
    expect(await send("HEAD", "/api/storage/upload/")).toEqual({ ...refused("POST"), body: "" });
  });

  test("answers 405 to a browser that opens an address of the API", async () => {
    expect(await send("GET", "/api/storage/upload/", { Accept: "text/html" })).toEqual(refused("POST"));
  });

  test.each([
    ["another media type", "text/csv", "a,b"],
    ["broken JSON", "application/json", "{"],
    ["a large body", "application/json", " ".repeat(70_000)],
  ])("answers 405 and 404 before it reads the body: %s", async (_what, type, payload) => {
    const headers = { "Content-Type": type };
    expect(await send("PUT", "/api/storage/upload/", headers, payload)).toEqual(refused("POST"));
    expect(await send("POST", "/api/storage/nothing/", headers, payload)).toEqual(unknown);
  });

  test.each([
    ["GET", "/nothing"],
    ["GET", "/api/storage/nothing/"],
    ["POST", "/api/storage/upload/x"],
    ["POST", "/api/storage/upload//"],
    ["POST", "/API/storage/upload/"],
    ["GET", "/api/storage/"],
    ["GET", "/internal/storage-events"],
    ["DELETE", "/auth/nothing"],
    ["GET", "/%zz"],
    ["POST", "/%zz"],
  ])("answers 404 to an unknown path, without a key: %s %s", async (method, url) => {
    expect(await send(method, url)).toEqual(unknown);
  });
});
