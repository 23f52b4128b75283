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

  test("passes the variant on, and the formats that an image of the page accepts", async () => {
    const stowage = aStowage(service, { allowDownload: true });
    const accept = "image/avif,image/webp,*/*";
    await transport.call(stowage, "download", { ...path, variant: "thumb" }, { Accept: accept });
    await transport.call(stowage, "download", path, { Accept: accept });
    expect(signatures().map((call) => call.body)).toEqual([
      { ...path, tenant_id: "user_ada", expires_in: 900, variant: "thumb", accept },
      { ...path, tenant_id: "user_ada", expires_in: 900 },
    ]);
    expect((await transport.call(stowage, "download", { ...path, variant: "No!" })).status).toBe(400);
  });

  test("does not find another user's file, and does not call allowDownload for it", async () => {
    let called = 0;
    const stowage = aStowage(service, { allowDownload: () => ++called > 0 });
    await transport.call(stowage, "request", { filename: "a", size: 1 });
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

describe.each(transports)("over $name, downloads", (transport) => {
  const paths = { file_paths: ["one", "two", "three", "one"] };
  const batches = () => service.calls.filter((call) => call.path === "/api/storage/downloads/");

  test("is refused by default", async () => {
    expect(await transport.call(aStowage(service), "downloads", paths)).toEqual(refused);
    expect(service.calls).toEqual([]);
  });

  test("asks once for all files, with the tenant and reuse, and repeats no path", async () => {
    const stowage = aStowage(service, { allowDownload: true });
    const body = { ...paths, disposition: "inline", reuse: true, tenant_id: "user_grace", expires_in: 1 };
    const answer = await transport.call(stowage, "downloads", body);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        downloads: [{ file_path: "one" }, { file_path: "two" }, { file_path: "three" }],
        not_found: [],
      },
    });
    expect(answer.body).not.toHaveProperty("refused");
    expect(service.calls.map((call) => call.body)).toEqual([
      {
        file_paths: ["one", "two", "three"],
        tenant_id: "user_ada",
        disposition: "inline",
        reuse: true,
        expires_in: 900,
      },
    ]);
  });

  test("asks allowDownload about each own file, and a refusal does not fail the others", async () => {
    await transport.call(aStowage(service), "request", { filename: "a", size: 1 });
    const asked: unknown[] = [];
    const allowDownload = ({ file }: FileContext) => {
      asked.push(file.filePath);
      if (file.filePath === "three") throw new StowageError("download_refused", { detail: "Not paid" });
      return file.filePath === "one";
    };
    const stowage = aStowage(service, { allowDownload });
    const file_paths = ["three", FILE_PATH, "two", "one"];
    const answer = await transport.call(
      stowage,
      "downloads",
      { file_paths },
      { "X-Test-User": "user_grace" },
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        downloads: [{ file_path: "one" }],
        // It is another user's, so the callback was not asked.
        not_found: [FILE_PATH],
        refused: [
          { file_path: "three", code: "download_refused", detail: "Not paid" },
          { file_path: "two", code: "download_refused", detail: refused.detail },
        ],
      },
    });
    expect(asked.toSorted()).toEqual(["one", "three", "two"]);
    expect(batches().map((call) => call.body["file_paths"])).toEqual([["one"]]);
  });

  test("calls the service for no URL if no file is allowed", async () => {
    const stowage = aStowage(service, { allowDownload: () => false });
    const answer = await transport.call(stowage, "downloads", { file_paths: ["one"] });
    expect(answer.body).toMatchObject({ downloads: [], not_found: [], refused: [{ file_path: "one" }] });
    expect(batches()).toEqual([]);
  });

  test("refuses all files if the service cannot be asked about one", async () => {
    service.always(says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "60" }));
    const stowage = aStowage(service, { allowDownload: () => true });
    const answer = await transport.call(stowage, "downloads", { file_paths: ["one"] });
    service.always(undefined);
    expect(answer).toMatchObject({ status: 503, code: "unavailable" });
  });

  test("takes 1 to 100 paths of the longest length", async () => {
    const stowage = aStowage(service, { allowDownload: true });
    const many = (count: number) => Array.from({ length: count }, (_, index) => `${index}`.padEnd(1024, "é"));
    expect((await transport.call(stowage, "downloads", { file_paths: many(100) })).status).toBe(200);
    for (const file_paths of [many(101), [], "one", undefined]) {
      const answer = await transport.call(stowage, "downloads", { file_paths });
      expect(answer).toMatchObject({ status: 400, code: "invalid_request" });
    }
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

  test("asks for a URL that can be cached, with reuse", async () => {
    expect((await follow({ ...path, reuse: "true" })).status).toBe(302);
    expect((await follow({ ...path, reuse: "false" })).status).toBe(302);
    expect((await follow({ ...path, reuse: "1" })).status).toBe(400);
    expect(signatures().map((call) => call.body["reuse"])).toEqual([true, false]);
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
