import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createApp } from "../src/server/app.js";
import { API_KEY, aService } from "./stand-in-service.js";

let service: Awaited<ReturnType<typeof aService>>;
let app: Awaited<ReturnType<typeof anApp>>;
beforeEach(async () => {
  service = await aService();
  app = await anApp(service.url);
});
afterEach(async () => {
  await app.close();
  await service[Symbol.asyncDispose]();
});

async function anApp(stowageUrl: string) {
  const server = createServer(createApp({ stowageUrl, apiKey: API_KEY }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** A browser with a cookie jar of one cookie. */
    browser() {
      let cookie = "";
      const seen: string[] = [];
      const call = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
        const post = { method: "POST", body: JSON.stringify(body) };
        const response = await fetch(url + path, {
          ...(body === undefined ? {} : post),
          headers: { "Content-Type": "application/json", Cookie: cookie, ...headers },
        });
        const setCookie = response.headers.get("set-cookie");
        if (setCookie !== null) cookie = setCookie.split(";")[0] ?? "";
        const text = await response.text();
        seen.push(text, JSON.stringify([...response.headers]));
        return { status: response.status, setCookie, body: JSON.parse(text) as Record<string, unknown> };
      };
      return { call, seen };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const upload = ["/api/stowage/request", { filename: "notes.txt" }] as const;
const complete = ["/api/stowage/complete", { file_path: "projects/p/tenants/t/1_notes.txt" }] as const;

it("knows nobody at first, and lets nobody upload or list", async () => {
  const { call } = app.browser();
  expect((await call("/api/session")).body).toMatchObject({ user: null });
  expect((await call(...upload)).status).toBe(401);
  expect((await call(...complete)).status).toBe(401);
  expect((await call("/api/files")).status).toBe(401);
  expect(service.calls).toEqual([]);
});

it("signs a user in, switches to the other, and signs out", async () => {
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

it("refuses a user that it does not know, by body and by cookie", async () => {
  const { call } = app.browser();
  for (const user of ["user_eve", "", 1, {}]) expect((await call("/api/session", { user })).status).toBe(400);
  expect((await call("/api/session", {})).status).toBe(400);
  const forged = { Cookie: "example_user=user_eve" };
  expect((await call("/api/session", undefined, forged)).body).toMatchObject({ user: null });
  expect((await call("/api/files", undefined, forged)).status).toBe(401);
});

it("asks the service in the name of the signed-in user alone", async () => {
  const { call } = app.browser();
  for (const user of ["user_ada", "user_grace"]) {
    service.calls.length = 0;
    await call("/api/session", { user });
    await call("/api/stowage/request", { filename: "notes.txt", tenant_id: "user_eve" });
    await call("/api/stowage/complete", { ...complete[1], tenant_id: "user_eve" });
    const listed = await call("/api/files?tenant_id=user_eve");
    expect(listed.body).toMatchObject({ files: [{ filename: `notes of ${user}.txt` }] });
    expect(service.calls.map(({ body }) => body["tenant_id"])).toEqual([user, user, undefined]);
    const query = new URL(service.calls[2]?.target ?? "", service.url).searchParams;
    expect(query.getAll("tenant_id")).toEqual([user]);
    expect(query.get("status")).toBe("stored");
  }
});

it("shows its key to the service and to nobody else, whatever goes wrong", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { call, seen } = app.browser();
  await call("/api/session", { user: "user_ada" });
  const refusals = [
    undefined,
    { status: 401, detail: "Unauthorized" },
    { status: 503, detail: "Service temporarily unavailable" },
  ];
  for (const refusal of refusals) {
    service.state.refusal = refusal;
    for (const path of ["/api/files", "/api/session"]) await call(path);
    await call(...upload);
    await call(...complete);
  }
  expect(service.calls.every(({ authorization }) => authorization === `Bearer ${API_KEY}`)).toBe(true);
  expect(service.calls.length).toBeGreaterThanOrEqual(9);
  expect(seen.join()).not.toContain(API_KEY);
  expect(JSON.stringify(vi.mocked(console.error).mock.calls)).not.toContain(API_KEY);
  vi.restoreAllMocks();
});

it("says that the list cannot be had while the service is out of reach", async () => {
  const { call } = app.browser();
  await call("/api/session", { user: "user_ada" });
  service.state.refusal = { status: 503, detail: "Service temporarily unavailable" };
  const { status, body } = await call("/api/files");
  expect({ status, keys: Object.keys(body) }).toEqual({ status: 503, keys: ["detail"] });
});
