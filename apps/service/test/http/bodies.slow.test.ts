import type { Socket } from "node:net";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { limits } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { DASHBOARD_URL } from "../fixtures/a-person.js";
import { aProcess } from "../fixtures/a-process.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { call } from "../fixtures/call.js";
import { collectRoutes, type Route } from "../fixtures/collect-routes.js";
import { type Framing, framings, sendOversized } from "../fixtures/oversized-body.js";

const EVENTS_SECRET = "a secret of the tests for storage events";
const MIB = 1024 ** 2;
/** Larger than the limit of every route, and than what the sockets of this machine buffer. */
const BODY_BYTES = 8 * MIB;
/** What the service may read beyond a route's limit: a discarded rest and the buffers of Node. */
const SLACK_BYTES = 512 * 1024;

const contentTypes = [
  "application/json",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "text/plain",
  "application/octet-stream",
];

let service: RunningService;
let app: FastifyInstance;
let routes: Route[];
let dir: string;
let headers: Record<string, string>;
const sockets = new Map<number, Socket>();

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stowage-bodies-"));
  await mkdir(join(dir, "assets"));
  await writeFile(join(dir, "index.html"), "<!doctype html>");
  await writeFile(join(dir, "favicon.svg"), "<svg/>");
  const settings = { STORAGE_EVENTS_SECRET: EVENTS_SECRET, DASHBOARD_DIR: dir, DOCS_SITE_DIR: dir };
  const collected = await collectRoutes(() => aService(settings));
  service = collected.started;
  app = collected.app;
  routes = collected.routes;
  app.server.on("connection", (socket) => sockets.set(socket.remotePort!, socket));
  // Every credential that a route could ask for, so that each route gets as far as its body.
  headers = { Authorization: `Bearer ${(await aProject()).apiKey}`, Origin: DASHBOARD_URL };
});
afterAll(async () => {
  await service.close();
  await rm(dir, { recursive: true, force: true });
});

const pathOf = ({ url }: Route) =>
  `${url.replace(":path", "passwordReset.read").replace("*", "a")}?secret=${encodeURIComponent(EVENTS_SECRET)}`;

const limitOf = ({ url }: Route) => {
  if (/^\/api\/storage\/(delete|restore)/.test(url)) return limits.deleteBodyBytes;
  if (url.startsWith("/api/storage/downloads")) return limits.downloadsBodyBytes;
  return url === "/internal/storage-events" ? MIB : limits.requestBodyBytes;
};

async function refuse(route: Route, framing: Framing, contentType: string) {
  const answer = await sendOversized(service.url, {
    method: route.method,
    path: pathOf(route),
    headers: { ...headers, "Content-Type": contentType },
    framing,
    sizeBytes: BODY_BYTES,
  });
  const what = `${route.method} ${route.url}, ${framing}, ${contentType}: ${answer.status} ${answer.body}`;
  return { ...answer, what, readBytes: sockets.get(answer.port)!.bytesRead };
}

test("the table of routes has the calls of every interface", () => {
  const named = (method: string, url: string) => expect(routes).toContainEqual({ method, url });
  named("POST", "/api/storage/upload");
  named("POST", "/trpc/:path");
  named("POST", "/auth/sign-in/email");
  named("POST", "/internal/storage-events");
  named("GET", "/dashboard/export/files.csv");
  named("GET", "/healthz");
  expect(routes.length).toBeGreaterThan(40);
});

describe.each(framings)("a body of 8 MiB with %s", (framing) => {
  test.each(contentTypes)("and of type %s is refused by every route", async (contentType) => {
    for (const route of routes) {
      const { status, readBytes, ms, what } = await refuse(route, framing, contentType);
      // A length that is too small announces a short body. The rest is an invalid second request.
      const isShort = framing === "Content-Length that is too small";
      const refusals = isShort ? [200, 204, 301, 400, 401, 403, 404, 405, 415] : [403, 404, 405, 413, 415];
      expect(route.method === "HEAD" ? [...refusals, 0] : refusals, what).toContain(status);
      expect(ms, what).toBeLessThan(20_000);
      expect(readBytes, what).toBeLessThan(limitOf(route) + SLACK_BYTES);
    }
  });
});

test.each(["/nothing/here", "/api/storage/%zz", "/trpc/a/b"])(
  "an unknown path reads no long body: %s",
  async (url) => {
    for (const framing of ["Content-Length", "chunked"] as const) {
      const { status, readBytes, what } = await refuse({ method: "POST", url }, framing, "text/plain");
      expect(status, what).toBe(404);
      expect(readBytes, what).toBeLessThan(SLACK_BYTES);
    }
  },
);

test("a procedure takes no form and no stream, because no call of the dashboard sends one", async () => {
  for (const contentType of contentTypes.slice(1)) {
    const answer = await call(`${service.url}/trpc/passwordReset.read`, {
      body: "token=x",
      headers: { Origin: DASHBOARD_URL, "Content-Type": contentType },
    });
    expect(answer.status).toBe(415);
    expect(answer.headers.get("X-Error-Code")).toBe("unsupported_media_type");
  }
});

test("a short body that nothing reads does not end the connection", async () => {
  const answer = await call(`${service.url}/nothing/here`, { body: { a: "b".repeat(1000) } });
  expect(answer.status).toBe(404);
  expect(answer.headers.get("Connection")).toBe("keep-alive");
});

test("a long body is refused without memory", async () => {
  const { child, url, kill } = await aProcess({ ...inject("servers"), PORT: "0", DASHBOARD_URL });
  const send = (framing: Framing, contentType: string, sizeBytes: number) =>
    sendOversized(url, {
      method: "POST",
      path: "/trpc/passwordReset.read",
      headers: { Origin: DASHBOARD_URL, "Content-Type": contentType },
      framing,
      sizeBytes,
    });
  const memoryBytes = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024;
  };
  try {
    for (const contentType of contentTypes) await send("chunked", contentType, MIB);
    const before = await memoryBytes();
    for (const contentType of contentTypes) {
      for (const framing of ["Content-Length", "chunked"] as const) {
        const { status, writtenBytes } = await send(framing, contentType, 100 * MIB);
        expect(status).toBe(contentType === "application/json" ? 413 : 415);
        expect(writtenBytes).toBeLessThan(20 * MIB);
      }
    }
    // The highest value, so a peak between two requests counts too.
    expect((await memoryBytes()) - before).toBeLessThan(30 * MIB);
  } finally {
    await kill();
  }
});
