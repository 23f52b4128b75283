import { aFileAnswer, aService, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH } from "../../test/a-stowage.js";
import { call, hosts } from "../../test/hosts.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

describe.each(hosts)("on %s", (_name, host) => {
  test("requests and completes an upload, with and without a trailing slash", async () => {
    await using app = await host(aStowage(service));
    for (const slash of ["", "/"]) {
      const requested = await call(`${app.url}/request${slash}`, { filename: "Ünïcode 文.txt", size: 3 });
      expect(requested.status).toBe(200);
      expect(requested.headers.get("Cache-Control")).toBe("no-store");
      expect(await requested.json()).toMatchObject({ file_path: FILE_PATH, expires_in: expect.any(Number) });
      const completed = await call(`${app.url}/complete${slash}`, { file_path: FILE_PATH });
      expect(await completed.json()).toMatchObject({ status: "stored" });
    }
    expect(service.calls).toHaveLength(4);
    expect(service.calls[0]?.body).toEqual({ filename: "Ünïcode 文.txt", size: 3, tenant_id: "user_ada" });
  });

  test("answers GET and OPTIONS, with and without a trailing slash", async () => {
    const routes = { avatar: { accept: "image/*", maxSize: "4MB" as const } };
    await using app = await host(aStowage(service, { routes, allowedOrigins: ["https://page.example"] }));
    for (const slash of ["", "/"]) {
      const described = await fetch(`${app.url}/routes${slash}`);
      expect(await described.json()).toEqual({
        routes: { avatar: { accept: ["image/*"], max_size: 4_000_000 } },
      });
      const preflight = await fetch(`${app.url}/request${slash}`, {
        method: "OPTIONS",
        headers: { Origin: "https://page.example", "Access-Control-Request-Method": "POST" },
      });
      expect(preflight.status).toBeLessThan(300);
      expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("https://page.example");
    }
  });

  test("lists files, reads usage and redirects to a download", async () => {
    service.files.length = 0;
    service.files.push(aFileAnswer({ file_path: FILE_PATH, tenant_id: "user_ada" }));
    const allowed = { allowList: true, allowUsage: true, allowDownload: true };
    await using app = await host(aStowage(service, allowed));
    const read = (action: string) =>
      fetch(`${app.url}/${action}`, { headers: { "X-Test-User": "user_ada" }, redirect: "manual" });
    for (const slash of ["", "/"]) {
      const listed = await read(`list${slash}?limit=1`);
      expect(await listed.json()).toMatchObject({ files: [{ file_path: FILE_PATH }], next_cursor: null });
      expect(await (await read(`usage${slash}`)).json()).toMatchObject({ used_bytes: 12 });
      const download = await read(`download${slash}?file_path=${encodeURIComponent(FILE_PATH)}`);
      expect(download.status).toBe(302);
      expect(download.headers.get("Location")).toMatch(/^https:\/\/storage\.example\//);
      expect(download.headers.get("Cache-Control")).toBe("no-store");
    }
  });

  test("answers HEAD as GET, without a body", async () => {
    service.files.length = 0;
    service.files.push(aFileAnswer({ file_path: FILE_PATH, tenant_id: "user_ada" }));
    await using app = await host(aStowage(service, { allowDownload: true, allowUsage: true }));
    const ask = (method: string, action: string, user = "user_ada") =>
      fetch(`${app.url}/${action}`, { method, headers: { "X-Test-User": user }, redirect: "manual" });
    const link = `download?file_path=${encodeURIComponent(FILE_PATH)}`;
    for (const [action, user] of [[link], ["usage"], [link, ""]] as const) {
      const [got, head] = [await ask("GET", action, user), await ask("HEAD", action, user)];
      expect(head.status).toBe(got.status);
      expect(head.headers.get("Location")?.split("?")[0]).toBe(got.headers.get("Location")?.split("?")[0]);
      expect(head.headers.get("Content-Type")).toBe(got.headers.get("Content-Type"));
      expect(await head.text()).toBe("");
    }
    expect((await ask("HEAD", "request")).status).toBe(404);
  });

  test("lets tenant read a clone of the body, and reports a tenant that reads the body itself", async () => {
    const readers: Record<string, (request: Request) => Promise<unknown>> = {
      clone: (request) => request.clone().json(),
      body: (request) => request.json(),
    };
    const tenant = async (request: Request) => {
      const read = (await readers[request.headers.get("X-Read")!]!(request)) as { filename: string };
      return `user of ${read.filename}`;
    };
    const stowage = aStowage(service, { tenant });
    await using app = await host(stowage);
    expect((await call(`${app.url}/request`, { filename: "a", size: 1 }, { "X-Read": "clone" })).status).toBe(
      200,
    );
    expect(service.calls[0]?.body).toMatchObject({ filename: "a", tenant_id: "user of a" });
    expect((await call(`${app.url}/request`, { filename: "a", size: 1 }, { "X-Read": "body" })).status).toBe(
      500,
    );
    expect(stowage.reported.map(String)).toEqual([expect.stringContaining("read request.clone() instead")]);
  });

  test("does not mix up concurrent users", async () => {
    await using app = await host(aStowage(service));
    const users = Array.from({ length: 40 }, (_, index) => `user_${index}`);
    const answers = await Promise.all(
      users.map((user) => call(`${app.url}/request`, { filename: user, size: 1 }, { "X-Test-User": user })),
    );
    expect(answers.map(({ status }) => status)).toEqual(users.map(() => 200));
    const requested = service.calls.map(({ body }) => [body["filename"], body["tenant_id"]]);
    expect(requested.toSorted()).toEqual(users.map((user) => [user, user]).toSorted());
  });

  test("answers every refusal in JSON", async () => {
    await using app = await host(aStowage(service));
    const refusal = async (response: Response) =>
      `${response.status} ${((await response.json()) as { code: string }).code}`;
    expect(await refusal(await call(`${app.url}/nowhere`, {}))).toBe("404 not_found");
    expect(await refusal(await fetch(`${app.url}/request`))).toBe("404 not_found");
    expect(await refusal(await call(`${app.url}/request`, {}))).toBe("400 filename_required");
    const signedOut = { "X-Test-User": "" };
    expect(await refusal(await call(`${app.url}/request`, {}, signedOut))).toBe("401 unauthorized");
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect(await refusal(await call(`${app.url}/request`, "filename=a", form))).toBe(
      "415 unsupported_media_type",
    );
  });
});
