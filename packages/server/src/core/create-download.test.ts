import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH, get } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, hangsUp, says, type FakeService } from "@stowage/service-fake";
import { StowageError, type FileContext, type StowageOptions } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const path = { file_path: FILE_PATH };
const refused = {
  status: 403,
  code: "download_refused",
  detail: "Files cannot be downloaded here: allowDownload does not allow it",
};
const notFound = { status: 404, code: "file_not_found", detail: "File not found" };
const signatures = () => service.calls.filter((call) => call.path === "/api/storage/download/");

describe.each(transports)("over $name, download", (transport) => {
  test("is refused by default, with the name of the option", async () => {
    expect(await transport.call(aStowage(service), "download", path)).toEqual(refused);
    expect(service.calls).toEqual([]);
  });

  test("requires a session, file_path and a known disposition", async () => {
    const stowage = aStowage(service, { allowDownload: true });
    expect((await transport.call(stowage, "download", path, { "X-Test-User": "" })).status).toBe(401);
    const invalid = { status: 400, code: "invalid_request" };
    expect(await transport.call(stowage, "download", {})).toMatchObject(invalid);
    expect(await transport.call(stowage, "download", { ...path, disposition: "x" })).toMatchObject(invalid);
    expect(service.calls).toEqual([]);
  });

  test("answers a URL of the user's file for 15 minutes, and sends the tenant along", async () => {
    const stowage = aStowage(service, { allowDownload: true });
    // The browser chooses neither the tenant, nor the lifetime, nor the name of the download.
    const body = { ...path, tenant_id: "user_grace", expires_in: 604_800, filename: "x.exe" };
    const { status, body: download } = await transport.call(stowage, "download", body);
    expect(status).toBe(200);
    expect(download).toMatchObject({ ...path, filename: "notes.txt", size: 12 });
    expect(download?.["presigned_url"]).toMatch(/^https:\/\/storage\.example\//);
    await transport.call(stowage, "download", { ...path, disposition: "inline" });
    expect(signatures().map((call) => call.body)).toEqual([
      { ...path, tenant_id: "user_ada", expires_in: 900 },
      { ...path, tenant_id: "user_ada", expires_in: 900, disposition: "inline" },
    ]);
  });

  test("does not find another user's file, and does not call allowDownload for it", async () => {
    let called = 0;
    const stowage = aStowage(service, { allowDownload: () => ++called > 0 });
    await transport.call(stowage, "request", { filename: "a" });
    const grace = { "X-Test-User": "user_grace" };
    expect(await transport.call(stowage, "download", path, grace)).toEqual(notFound);
    expect(called).toBe(0);
    expect(signatures()).toEqual([]);
  });

  test("passes the file to allowDownload, and takes only true as permission", async () => {
    const contexts: FileContext[] = [];
    for (const answer of [true, false, "yes"]) {
      const allowDownload = (context: FileContext) => {
        contexts.push(context);
        return answer as boolean;
      };
      const seen = await transport.call(aStowage(service, { allowDownload }), "download", path);
      if (answer === true) expect(seen.status).toBe(200);
      else expect(seen).toEqual(refused);
    }
    expect(signatures()).toHaveLength(1);
    expect(contexts[0]?.file).toMatchObject({ filePath: FILE_PATH, status: "stored" });
  });

  test("sends a StowageError of the callback unchanged", async () => {
    const allowDownload = () => {
      throw new StowageError("download_refused", { detail: "This invoice is not paid" });
    };
    expect(await transport.call(aStowage(service, { allowDownload }), "download", path)).toEqual({
      ...refused,
      detail: "This invoice is not paid",
    });
  });

  test("retries after a broken connection", async () => {
    service.next(hangsUp);
    const stowage = aStowage(service, { allowDownload: true });
    expect((await transport.call(stowage, "download", path)).status).toBe(200);
  });
});

describe("a link to a download", () => {
  const follow = async (
    query: Record<string, string>,
    headers: Record<string, string> = {},
    options: Partial<StowageOptions> = { allowDownload: true },
  ) => {
    const response = await aStowage(service, options).handler(get("download", query, headers));
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };

  test("redirects to a fresh URL, which no cache keeps, and does not name the page to storage", async () => {
    const { status, headers, text } = await follow({
      ...path,
      disposition: "inline",
      tenant_id: "user_grace",
    });
    expect({ status, text }).toEqual({ status: 302, text: "" });
    expect(headers.get("Location")).toMatch(/^https:\/\/storage\.example\/.*X-Amz-Signature/);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(signatures().map((call) => call.body)).toEqual([
      { ...path, tenant_id: "user_ada", expires_in: 900, disposition: "inline" },
    ]);
  });

  test("redirects only to web addresses, and only to those of the service", async () => {
    const elsewhere = { url: "https://evil.example", presigned_url: "https://evil.example", next: "//evil" };
    expect((await follow({ ...path, ...elsewhere })).headers.get("Location")).not.toContain("evil");
    const answer = {
      presigned_url: "javascript:alert(1)",
      ...path,
      filename: "a",
      content_type: "a/b",
      size: 1,
      expires_at: "2026-01-01T00:00:00.000Z",
    };
    service.next(says(200, answer));
    expect((await follow(path)).status).toBe(503);
  });

  test("is refused like the other calls", async () => {
    expect((await follow(path, {}, {})).status).toBe(403);
    expect((await follow(path, { "X-Test-User": "" })).status).toBe(401);
    expect((await follow({})).status).toBe(400);
  });

  test.each<[passes: boolean, why: string, headers: Record<string, string>]>([
    [true, "an image of the own origin", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "image" }],
    [true, "an image of the same site", { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "image" }],
    [true, "an address that a person types", { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate" }],
    [
      true,
      "a link that a person follows from another site",
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
    ],
    [
      false,
      "a frame of another site",
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" },
    ],
    [
      false,
      "an image of another site",
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" },
    ],
    [false, "another origin of an older browser", { Origin: "https://evil.example" }],
  ])("allowed: %s, from %s", async (passes, _why, headers) => {
    expect((await follow(path, headers)).status).toBe(passes ? 302 : 403);
  });
});

test.each(["list", "usage"])(
  "%s is refused to pages of other sites, even of the same site",
  async (action) => {
    const stowage = aStowage(service, { allowList: true, allowUsage: true });
    for (const site of ["cross-site", "same-site"]) {
      const headers = { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
      expect((await stowage.handler(get(action, {}, headers))).status).toBe(403);
    }
    expect((await stowage.handler(get(action, {}, { "Sec-Fetch-Site": "same-origin" }))).status).toBe(200);
  },
);
