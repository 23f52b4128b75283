import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createApp } from "../src/server/app.js";
import { API_KEY, aService } from "./fake-service.js";

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
        const isForm = headers["Content-Type"] === FORM["Content-Type"];
        const text = isForm
          ? String(new URLSearchParams(body as Record<string, string>))
          : JSON.stringify(body);
        const response = await fetch(url + path, {
          ...(body === undefined ? {} : { method: "POST", body: text }),
          redirect: "manual",
          headers: { "Content-Type": "application/json", Cookie: cookie, ...headers },
        });
        const setCookie = response.headers.get("set-cookie");
        if (setCookie !== null) cookie = setCookie.split(";")[0] ?? "";
        const answer = await response.text();
        seen.push(answer, JSON.stringify([...response.headers]));
        return {
          status: response.status,
          setCookie,
          location: response.headers.get("location"),
          body: (response.status < 300 || response.status >= 400 ? JSON.parse(answer) : {}) as Record<
            string,
            unknown
          >,
        };
      };
      return { call, seen };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const upload = ["/api/stowage/request", { filename: "notes.txt", route: "documents" }] as const;
const path = "projects/p/tenants/t/1_notes.txt";
const complete = ["/api/stowage/complete", { file_path: path }] as const;
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

it("knows nobody at first, and lets nobody upload or list", async () => {
  const { call } = app.browser();
  expect((await call("/api/session")).body).toMatchObject({ user: null });
  expect((await call(...upload)).status).toBe(401);
  expect((await call(...complete)).status).toBe(401);
  for (const path of ["", "/download?path=x", "/avatar"])
    expect((await call(`/api/files${path}`)).status).toBe(401);
  expect((await call("/api/files/delete", { path: "x" })).status).toBe(401);
  expect((await call("/api/support", { attachments: "x" }, FORM)).status).toBe(401);
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
    await call(upload[0], { ...upload[1], tenant_id: "user_eve" });
    await call(complete[0], { ...complete[1], tenant_id: "user_eve" });
    await call("/api/files/delete", { path, tenant_id: "user_eve" });
    await call(`/api/files/download?path=${path}&tenant_id=user_eve`);
    const sent = await call("/api/support", { attachments: path, tenant_id: "user_eve" }, FORM);
    expect(sent.location).toBe("/support?sent=1");
    const listed = await call("/api/files?tenant_id=user_eve");
    expect(listed.body).toMatchObject({ files: [{ filename: `notes of ${user}.txt` }] });
    const tenants = service.calls.map(
      ({ target, body }) =>
        body["tenant_id"] ?? new URL(target, service.url).searchParams.getAll("tenant_id").join(),
    );
    expect(tenants).toEqual([user, user, user, user, user, user]);
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
    for (const path of ["", "/avatar", "/download?path=x"]) await call(`/api/files${path}`);
    await call("/api/support", { attachments: "x" }, FORM);
    await call(...upload);
    await call(...complete);
  }
  expect(service.calls.every(({ authorization }) => authorization === `Bearer ${API_KEY}`)).toBe(true);
  expect(service.calls.length).toBeGreaterThanOrEqual(15);
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

it("lists documents alone, and leaves a picture and attachments to their own pages", async () => {
  const { call } = app.browser();
  await call("/api/session", { user: "user_ada" });
  for (const [route, count] of [
    ["documents", 1],
    ["avatar", 0],
    ["attachments", 0],
    ["", 1],
  ] as const) {
    service.state.metadata = route === "" ? {} : { stowage_route: route };
    expect((await call("/api/files")).body["files"]).toHaveLength(count);
  }
});

it("lets a new picture stand alone: the ones before it are deleted", async () => {
  const { call } = app.browser();
  await call("/api/session", { user: "user_ada" });
  expect((await call("/api/files/avatar")).body).toEqual({ avatarUrl: null });
  service.state.metadata = { stowage_route: "avatar" };
  service.state.olderPaths = ["projects/p/tenants/t/0_before.png"];
  const { status, body } = await call(complete[0], complete[1]);
  expect({ status, result: body["result"] }).toEqual({
    status: 200,
    result: { avatarUrl: "https://storage.example/key?X-Amz-Signature=abc" },
  });
  const deleted = service.calls.filter(({ target }) => target.startsWith("/api/storage/delete"));
  expect(deleted.map(({ body }) => body)).toEqual([
    { file_paths: ["projects/p/tenants/t/0_before.png"], tenant_id: "user_ada" },
  ]);
});

it("takes no message with a file that is not the user's", async () => {
  const { call } = app.browser();
  await call("/api/session", { user: "user_ada" });
  service.state.refusal = { status: 404, detail: "File not found" };
  const { status, body } = await call("/api/support", { attachments: path }, FORM);
  expect({ status, body }).toEqual({ status: 404, body: { detail: "File not found" } });
});
