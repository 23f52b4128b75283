import { createStowage } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { NodeXhr } from "../../test/node-xhr.js";
import { aFile, aRuntime, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { ended, failureOf, settled } from "../../test/store.js";
import { createHttpTransport } from "./http-transport.js";
import type { createUploadStore } from "../store/upload-store.js";

const PAGE = "https://app.example";
const HTML = { "Content-Type": "text/html; charset=utf-8" };

let hints: () => string[];
let createStore: typeof createUploadStore;
const cleanups: (() => void)[] = [];
beforeEach(async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  hints = () => warn.mock.calls.map(([text]) => String(text));
  vi.stubGlobal("location", { origin: PAGE, href: `${PAGE}/documents?secret=1` });
  // Each test is a page of its own: a hint is given once per page.
  vi.resetModules();
  createStore = (await import("../store/upload-store.js")).createUploadStore;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Starts a server that never was a helper. @returns its origin */
async function aServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function aBackend(): Promise<Backend> {
  const backend = await startBackend();
  cleanups.push(() => backend.close());
  return backend;
}

/** Uploads two files to the endpoint, and returns why they failed. */
async function failureAt(endpoint: string) {
  const store = createStore({ endpoint }, aRuntimeWithoutPauses());
  store.add([aFile("a"), aFile("b")]);
  await ended(store, "failed", "failed");
  return failureOf(store);
}

/** Expects one hint with these parts, and none of the parts that a console must not show. */
async function expectHint(...parts: string[]) {
  await expect.poll(hints).toHaveLength(1);
  for (const part of parts) expect(hints()[0]).toContain(part);
  expect(hints()[0]).not.toMatch(/secret|signature|user_ada|\?\w/);
}

const answering =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

test.each<[string, RequestListener, number, string]>([
  ["a page for every path", answering(200, "<html>App</html>", HTML), 200, "Vite: server.proxy"],
  ["another API's JSON", answering(200, '{"hello":1}'), 200, "Something else is mounted at this path"],
  [
    "a 404 page, as Next without [...action]",
    answering(404, "<html>404</html>", HTML),
    404,
    "app/api/stowage/[...action]/route.ts",
  ],
  [
    "404 JSON of another kind",
    answering(404, '{"message":"Not Found"}'),
    404,
    "Mount the helper at this path",
  ],
  ["405", answering(405, ""), 405, "export const { GET, POST, OPTIONS } = toNextHandlers(stowage)"],
])("a server that answers %s is not the helper", async (_, answer, status, cure) => {
  const origin = await aServer(answer);
  const failure = await failureAt(`${origin}/api/stowage`);
  expect(failure).toMatchObject({ code: "unexpected_answer", status, canRetry: true });
  expect(failure?.message).toBe(
    "The server gave an unexpected answer. Try again, or contact the support of this site.",
  );
  await expectHint(`POST ${origin}/api/stowage/request answered ${status}`, cure);
});

test("a redirect to a page for signing in is not the helper, and the hint leaves out its query", async () => {
  const origin = await aServer((request, response) => {
    if (request.url?.startsWith("/login")) return response.writeHead(200, HTML).end("<html>Sign in</html>");
    response.writeHead(303, { Location: "/login?secret=user_ada" }).end();
  });
  expect(await failureAt(`${origin}/api/stowage`)).toMatchObject({ code: "unexpected_answer", status: 200 });
  await expectHint(`redirected to ${origin}/login,`, "answers 401");
});

test("a helper that is mounted at another path is not the helper", async () => {
  const helper = toNodeHandler(
    createStowage({
      apiKey: `stow_live_${"a".repeat(49)}`,
      baseUrl: "http://127.0.0.1:9",
      tenant: () => "ada",
    }),
  );
  const origin = await aServer((request, response) => {
    if (request.url?.startsWith("/api/stowage/")) return void helper(request, response);
    answering(404, "Cannot POST")(request, response);
  });
  expect(await failureAt(`${origin}/stowage`)).toMatchObject({ code: "unexpected_answer", status: 404 });
  await expectHint(`POST ${origin}/stowage/request answered 404`, 'set "endpoint" to it');
});

test("a gateway without its backend is retried, and the hint names its address", async () => {
  const origin = await aServer(answering(502, "<h1>Bad Gateway</h1>", HTML));
  expect(await failureAt(`${origin}/api/stowage`)).toMatchObject({ code: "unavailable", status: 502 });
  await expectHint(`POST ${origin}/api/stowage/request answered 502`, "check that the backend runs");
});

test.each([401, 403])(
  "a %i without a code may be the customer's own, so there is no hint",
  async (status) => {
    const origin = await aServer(answering(status, "{}"));
    await failureAt(`${origin}/api/stowage`);
    expect(hints()).toEqual([]);
  },
);

test("a server that is stopped is not reached: files wait, and one hint names its address", async () => {
  const backend = await aBackend();
  const { endpoint } = backend;
  backend.close();
  const store = createStore({ endpoint: `${endpoint}/?secret=1` }, aRuntime());
  store.add([aFile("a"), aFile("b")]);
  await expect.poll(() => store.getSnapshot().connection).toBe("unreachable");
  expect(store.getSnapshot()).toMatchObject({ isOffline: false, totals: { active: 2 } });
  await expectHint(`the call of ${endpoint} got no answer`, "Nothing answers at this address");
  store.cancelAll();
});

test("a browser without a network gets no hint", async () => {
  const runtime = aRuntime();
  const backend = await aBackend();
  backend.close();
  const store = createStore({ endpoint: backend.endpoint, route: "photo" }, runtime);
  runtime.setOnline(false);
  store.subscribe(() => {});
  store.add([aFile()]);
  await expect.poll(() => store.getSnapshot().connection).toBe("offline");
  await expect.poll(() => runtime.pendingMs().length).toBeGreaterThan(1);
  expect(hints()).toEqual([]);
  store.cancelAll();
});

test("storage that never answers has its own failure, and one hint with CORS rules names only its origin", async () => {
  const backend = await aBackend();
  backend.nextAnswers.put.push(...Array.from({ length: 10 }, () => "cut" as const));
  const failure = await failureAt(backend.endpoint);
  expect(failure).toMatchObject({ code: "storage_unreachable", status: 0, canRetry: true });
  expect(failure?.message).toBe("The storage cannot be reached. Check your connection, or try again later.");
  const { origin } = new URL(backend.endpoint);
  await expectHint(
    `from storage at ${origin},`,
    `AllowedOrigins: ${PAGE}`,
    "AllowedMethods: PUT",
    "AllowedHeaders: Content-Type, X-Signed",
    `"stowage cors apply --origin ${PAGE}" sets them`,
  );
  expect(hints()[0]).not.toContain("projects/");
});

/** The permission that Chromium asks for before a page of a public address reaches a private one. */
function denyLocalNetwork() {
  const query = async ({ name }: { name: string }) => ({
    state: name === "local-network" ? "denied" : "prompt",
  });
  vi.stubGlobal("navigator", { permissions: { query } });
}

const DENIED =
  "Your browser does not let this page reach the local network. Allow it in the settings of this site and try again.";

test("storage at a private address that the browser does not let the page reach has a failure of its own, at once", async () => {
  denyLocalNetwork();
  const backend = await aBackend();
  backend.nextAnswers.put.push("cut", "cut");
  const failure = await failureAt(backend.endpoint);
  expect(failure).toMatchObject({ code: "local_network_denied", canRetry: true, message: DENIED });
  expect(backend.of("put")).toHaveLength(2);
  await expectHint(`storage at ${new URL(backend.endpoint).origin} got no request`, "local network access");
});

test("storage of a public name that leads to a private address is a denial if the next PUTs fail too", async () => {
  denyLocalNetwork();
  const backend = await aBackend();
  const transport = createHttpTransport({ endpoint: backend.endpoint }, aRuntime());
  const request: typeof transport.request = async (body, signal) => ({
    ...(await transport.request(body, signal)),
    presigned_url: "http://storage.example.invalid/key",
    headers: {},
  });
  const store = createStore({ transport: { ...transport, request } }, aRuntimeWithoutPauses());
  store.add([aFile()]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({ code: "local_network_denied", message: DENIED });
});

test("a backend at a private address that the browser does not let the page reach is not waited for", async () => {
  denyLocalNetwork();
  const backend = await aBackend();
  backend.close();
  expect(await failureAt(backend.endpoint)).toMatchObject({ code: "local_network_denied", message: DENIED });
  await expectHint(`the call of ${backend.endpoint} got no answer`, "local network access");
});

test.each([
  ["of an app without a page", () => vi.stubGlobal("location", undefined), "localhost is the phone itself"],
  ["of a page without an origin", () => vi.stubGlobal("location", { origin: "null" }), "app://bundle"],
  [
    "of a page whose scripts replace XMLHttpRequest",
    () => vi.stubGlobal("XMLHttpRequest", NodeXhr),
    "such as baggage or sentry-trace",
  ],
])("the hint about storage that never answers an upload %s says what to do", async (_, change, cure) => {
  change();
  const backend = await aBackend();
  backend.nextAnswers.put.push(...Array.from({ length: 10 }, () => "cut" as const));
  await failureAt(backend.endpoint);
  await expectHint("from storage at", cure);
});

test("storage that answered in between gets no hint about CORS", async () => {
  const backend = await aBackend();
  backend.nextAnswers.put.push("cut", "cut", { status: 500 }, "cut", { status: 500 });
  const store = createStore({ endpoint: backend.endpoint }, aRuntimeWithoutPauses());
  store.add([aFile()]);
  await settled(store);
  expect(backend.of("put")).toHaveLength(5);
  expect(hints()).toEqual([]);
});
