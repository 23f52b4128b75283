import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { aFileAnswer, API_KEY, aService, type FakeService, says } from "@stowage/service-fake";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAppServer } from "../src/server/app.js";

let service: FakeService;
let app: Awaited<ReturnType<typeof anApp>>;
beforeEach(async () => {
  service = await aService();
  app = await anApp(service.url);
});
afterEach(async () => {
  await app.close();
  await service[Symbol.asyncDispose]();
});

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

async function anApp(stowageUrl: string) {
  const server = createAppServer({ stowageUrl, apiKey: API_KEY, webhookSecret: WEBHOOK_SECRET });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    browser: () => aBrowser(url),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A client that keeps one cookie. `seen` collects every answer. */
function aBrowser(url: string) {
  let cookie = "";
  const seen: string[] = [];
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(url + path, { redirect: "manual", ...init });
    const setCookie = response.headers.get("set-cookie");
    if (setCookie !== null) cookie = setCookie.split(";")[0] ?? "";
    const text = await response.text();
    seen.push(text, JSON.stringify([...response.headers]));
    const isRedirect = response.status >= 300 && response.status < 400;
    return {
      status: response.status,
      setCookie,
      location: response.headers.get("location"),
      body: (isRedirect ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
  };
  return {
    seen,
    call: (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(path, {
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        headers: { "Content-Type": "application/json", Cookie: cookie, ...headers },
      }),
    submitForm: (path: string, fields: Record<string, string>) =>
      send(path, { method: "POST", body: new URLSearchParams(fields), headers: { Cookie: cookie } }),
  };
}

const path = "projects/p/tenants/t/1_file";
const upload = ["/api/stowage/request", { filename: "notes.txt", size: 12, route: "documents" }] as const;
const complete = ["/api/stowage/complete", { file_path: path }] as const;

const aStoredFile = (tenant_id: string, members: object = {}) => ({
  ...aFileAnswer({ file_path: path, tenant_id }),
  ...members,
});

test("signs the first demo user in at the first visit, and keeps a person signed out who has signed out", async () => {
  const { call } = app.browser();
  expect((await call("/api/session")).body).toMatchObject({ user: { id: "user_ada" } });
  expect((await call(...upload)).status).toBe(200);
  await call("/api/session", { user: null });
  expect((await call("/api/session")).body).toMatchObject({ user: null });
});

test("rejects every call without a user and does not call the service", async () => {
  const { call, submitForm } = app.browser();
  expect((await call(...upload)).status).toBe(401);
  expect((await call(...complete)).status).toBe(401);
  for (const read of ["list", "usage", "download?file_path=x"]) {
    expect((await call(`/api/stowage/${read}`)).status).toBe(401);
  }
  expect((await call("/api/stowage/delete", { file_path: "x" })).status).toBe(401);
  expect((await submitForm("/api/support", { attachments: "x" })).status).toBe(401);
  expect(service.calls).toEqual([]);
});

test("signs a user in, switches to another user, and signs out", async () => {
  const { call } = app.browser();
  const signedIn = await call("/api/session", { user: "user_ada" });
  expect(signedIn.setCookie).toMatch(/HttpOnly.*SameSite=Lax/);
  expect((await call("/api/session")).body).toMatchObject({ user: { id: "user_ada", name: "Ada Lovelace" } });
  await call("/api/session", { user: "user_grace" });
  expect((await call("/api/session")).body).toMatchObject({ user: { id: "user_grace" } });
  await call("/api/session", { user: null });
  expect((await call("/api/session")).body).toMatchObject({ user: null });
  expect((await call(...upload)).status).toBe(401);
});

test("rejects an unknown user in the body and in the cookie", async () => {
  const { call } = app.browser();
  for (const user of ["user_eve", "", 1, {}]) {
    expect((await call("/api/session", { user })).status).toBe(400);
  }
  expect((await call("/api/session", {})).status).toBe(400);
  const forged = { Cookie: "example_user=user_eve" };
  expect((await call("/api/session", undefined, forged)).body).toMatchObject({ user: null });
  expect((await call("/api/stowage/list", undefined, forged)).status).toBe(401);
});

test("calls the service with the signed-in user as tenant, and ignores a tenant in the request", async () => {
  const { call, submitForm } = app.browser();
  for (const user of ["user_ada", "user_grace"]) {
    service.files.push(aStoredFile(user, { filename: `notes of ${user}.txt` }));
  }
  for (const user of ["user_ada", "user_grace"]) {
    service.calls.length = 0;
    await call("/api/session", { user });
    const listed = await call("/api/stowage/list?tenant_id=user_eve");
    expect(listed.body).toMatchObject({ files: [{ filename: `notes of ${user}.txt` }] });
    await call("/api/stowage/usage?tenant_id=user_eve");
    await call(upload[0], { ...upload[1], tenant_id: "user_eve" });
    await call(complete[0], { ...complete[1], tenant_id: "user_eve" });
    await call("/api/stowage/delete", { file_path: path, tenant_id: "user_eve" });
    await call(`/api/stowage/download?file_path=${path}&tenant_id=user_eve`);
    const sent = await submitForm("/api/support", { attachments: path, tenant_id: "user_eve" });
    expect(sent.location).toBe("/support?sent=1");
    const tenants = service.calls.map(
      ({ path, body }) =>
        body["tenant_id"] ?? new URL(path, service.url).searchParams.getAll("tenant_id").join(),
    );
    expect(tenants.length).toBeGreaterThanOrEqual(7);
    expect(new Set(tenants)).toEqual(new Set([user]));
  }
});

test("never shows the API key to the browser or the log, even if the service fails", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { call, submitForm, seen } = app.browser();
  await call("/api/session", { user: "user_ada" });
  const answers = [
    undefined,
    says(401, { detail: "Unauthorized" }),
    says(503, { detail: "Service temporarily unavailable" }),
  ];
  for (const answer of answers) {
    service.always(answer);
    await Promise.all([
      ...["list", "usage", "download?file_path=x"].map((read) => call(`/api/stowage/${read}`)),
      submitForm("/api/support", { attachments: "x" }),
      call(...upload),
      call(...complete),
    ]);
  }
  expect(service.calls.every(({ authorization }) => authorization === `Bearer ${API_KEY}`)).toBe(true);
  expect(service.calls.length).toBeGreaterThanOrEqual(15);
  expect(seen.join()).not.toContain(API_KEY);
  expect(JSON.stringify(vi.mocked(console.error).mock.calls)).not.toContain(API_KEY);
  vi.restoreAllMocks();
});

test("redirects a link to a document to storage", async () => {
  const { call } = app.browser();
  await call("/api/session", { user: "user_ada" });
  const { status, location } = await call(`/api/stowage/download?file_path=${path}`);
  expect(status).toBe(302);
  expect(location).toMatch(/^https:\/\/storage\.example\//);
});

test.each([
  ["documents", 1],
  ["avatar", 0],
])("lists only the files of the route documents among the documents: %s", async (route, count) => {
  const { call } = app.browser();
  await call("/api/session", { user: "user_ada" });
  service.files.push(aStoredFile("user_ada", { metadata: { stowage_route: route } }));
  expect((await call("/api/stowage/list?route=documents")).body["files"]).toHaveLength(count);
});

test("a new picture replaces the previous one, which is deleted", async () => {
  const { call } = app.browser();
  await call("/api/session", { user: "user_ada" });
  const previous = "projects/p/tenants/t/0_previous.png";
  service.files.push(aStoredFile("user_ada", { file_path: previous, metadata: { stowage_route: "avatar" } }));
  await call(upload[0], { filename: "new.png", content_type: "image/png", size: 12, route: "avatar" });
  const { status, body } = await call(...complete);
  expect({ status, result: body["result"] }).toEqual({
    status: 200,
    result: { replaced: 1 },
  });
  const deleted = service.calls.filter(({ path }) => path.startsWith("/api/storage/delete"));
  expect(deleted.map(({ body }) => body)).toEqual([{ file_paths: [previous], tenant_id: "user_ada" }]);
});

test("rejects a support message with a file of another user", async () => {
  const { call, submitForm } = app.browser();
  await call("/api/session", { user: "user_ada" });
  service.always(says(404, { detail: "File not found" }));
  const { status, body } = await submitForm("/api/support", { attachments: path });
  expect({ status, body }).toEqual({ status: 404, body: { detail: "File not found" } });
});

test("accepts a signed webhook without a user, and refuses one with another signature", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const body = JSON.stringify({ type: "webhook.test", timestamp: new Date().toISOString(), data: testData });
  const sendSignedWith = (secret: string) =>
    fetch(`${app.url}/webhooks/stowage`, { method: "POST", body, headers: signed(secret, body) });
  expect((await sendSignedWith(WEBHOOK_SECRET)).status).toBe(204);
  expect(log.mock.calls).toEqual([["webhook evt_1: a test"]]);
  const refused = await sendSignedWith(`whsec_${Buffer.alloc(32, 8).toString("base64")}`);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: "signature_mismatch" });
  expect(log).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});

const testData = { project_ref: "p", endpoint_id: "e" };

/** The headers of a webhook, by Standard Webhooks. */
function signed(secret: string, body: string): Record<string, string> {
  const seconds = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`evt_1.${seconds}.${body}`).digest("base64");
  return {
    "Content-Type": "application/json",
    "webhook-id": "evt_1",
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${signature}`,
  };
}

test("answers an unknown Expect header with a detail", async () => {
  const call = request(`${app.url}/api/stowage/list`, { headers: { Expect: "200-ok" }, agent: false }).end();
  const [answer] = (await once(call, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(417);
  expect(await json(answer)).toEqual({ detail: "Only Expect: 100-continue is understood." });
});
