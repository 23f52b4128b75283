import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { aStowage, FILE_PATH, post } from "../../test/a-stowage.js";
import { API_KEY, aService, anUploadAnswer, says, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

async function answerOf(response: Response) {
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("request", () => {
  test("calls the service with the key and the tenant, and sends neither to the browser", async () => {
    const file = { filename: "notes.txt", content_type: "text/plain", size: 12 };
    const response = await aStowage(service).handler(post("request", file));

    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const { status, body } = await answerOf(response);
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual([
      "content_type",
      "expires_at",
      "expires_in",
      "file_path",
      "headers",
      "max_bytes",
      "presigned_url",
    ]);
    expect(service.calls).toEqual([
      {
        method: "POST",
        trace: {},
        path: "/api/storage/upload/",
        authorization: `Bearer ${API_KEY}`,
        body: { ...file, tenant_id: "user_ada" },
      },
    ]);
  });

  test("ignores a tenant in the browser's body", async () => {
    const body = { filename: "a", size: 1, tenant_id: "user_grace", tenantId: "user_grace" };
    await aStowage(service).handler(post("request", body));
    expect(service.calls[0]?.body).toEqual({ filename: "a", size: 1, tenant_id: "user_ada" });
  });

  test("computes the URL's lifetime by the service's clock, at most one hour", async () => {
    const lifetime = async (date: string | undefined, expiresAt: string) => {
      const answer = { ...anUploadAnswer({}), tenant_id: "user_ada", expires_at: expiresAt };
      service.next(says(200, answer, date === undefined ? {} : { Date: date }));
      return (await answerOf(await aStowage(service).handler(post("request", { filename: "a", size: 1 }))))
        .body["expires_in"];
    };
    const noon = "Thu, 01 Jan 2015 12:00:00 GMT";
    expect(await lifetime(noon, "2015-01-01T12:10:00.000Z")).toBe(600);
    expect(await lifetime(noon, "2015-01-01T14:00:00.000Z")).toBe(3600);
    expect(await lifetime(noon, "2015-01-01T11:00:00.000Z")).toBe(0);
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await lifetime("", new Date(Date.now() + 600_500).toISOString())).toBe(600);
  });

  test("refuses an invalid body without calling the service", async () => {
    const { handler } = aStowage(service);
    const refusal = async (body: unknown) => (await answerOf(await handler(post("request", body)))).body;
    expect(await refusal({})).toEqual({ detail: "filename is required", code: "filename_required" });
    expect(await refusal({ filename: "a\u0000b" })).toMatchObject({ code: "invalid_request" });
    expect(await refusal({ filename: "a", size: -1 })).toMatchObject({ code: "invalid_request" });
    expect(await refusal("[]")).toMatchObject({ detail: "Request body must be a JSON object" });
    expect(service.calls).toEqual([]);
  });
});

describe("complete", () => {
  test("sends the tenant with the path, and returns the file without the tenant", async () => {
    const response = await aStowage(service).handler(
      post("complete", { file_path: FILE_PATH, tenant_id: "user_grace" }),
    );
    const { status, body } = await answerOf(response);
    expect(status).toBe(200);
    expect(body).toMatchObject({ file_path: FILE_PATH, status: "stored", size: 12 });
    expect(body).not.toHaveProperty("tenant_id");
    expect(service.calls[0]).toMatchObject({
      path: "/api/storage/complete/",
      body: { file_path: FILE_PATH, tenant_id: "user_ada" },
    });
  });

  test("passes on that the upload was not found in storage", async () => {
    service.next(says(409, { detail: "Upload not found in storage" }));
    const response = await aStowage(service).handler(post("complete", { file_path: FILE_PATH }));
    expect(await answerOf(response)).toEqual({
      status: 409,
      body: { detail: "Upload not found in storage", code: "upload_not_found" },
    });
  });
});

describe("paths", () => {
  test("answers below any path, with and without a trailing slash", async () => {
    const { handler } = aStowage(service);
    for (const url of ["https://a/request", "https://a/x/y/request/", "https://a/request?x=1"]) {
      const call = post("request", { filename: "a", size: 1 });
      expect((await handler(new Request(url, call))).status, url).toBe(200);
    }
  });

  test("answers 404 to other paths and other methods", async () => {
    const { handler } = aStowage(service);
    const notFound = { status: 404, body: { detail: "Not found", code: "not_found" } };
    expect(await answerOf(await handler(post("requests", {})))).toEqual(notFound);
    expect(await answerOf(await handler(post("request/more", {})))).toEqual(notFound);
    for (const method of ["GET", "PUT", "OPTIONS", "DELETE"]) {
      const call = new Request("https://a/request", { method, headers: { "X-Test-User": "user_ada" } });
      expect(await answerOf(await handler(call)), method).toEqual(notFound);
    }
  });
});

describe("bodies", () => {
  test("accepts only JSON, which a form of another site cannot send", async () => {
    const { handler } = aStowage(service);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
      const response = await handler(post("request", { filename: "a", size: 1 }, { "Content-Type": type }));
      expect(await answerOf(response), type).toMatchObject({
        status: 415,
        body: { code: "unsupported_media_type" },
      });
    }
    const charset = { "Content-Type": "Application/JSON; charset=utf-8" };
    expect((await handler(post("request", { filename: "a", size: 1 }, charset))).status).toBe(200);
  });

  test("refuses a body that is not JSON, or not UTF-8", async () => {
    const { handler } = aStowage(service);
    const latin1 = new Request(post("request", ""), {
      method: "POST",
      body: Buffer.from('{"filename":"\xe9"}', "latin1"),
    });
    for (const request of [post("request", "{"), post("request", ""), latin1]) {
      expect(await answerOf(await handler(request))).toMatchObject({
        status: 400,
        body: { code: "invalid_json" },
      });
    }
  });

  test("stops reading a body at the limit, even if its Content-Length is smaller", async () => {
    let sentBytes = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sentBytes += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(32));
      },
    });
    const headers = { "Content-Type": "application/json", "X-Test-User": "u", "Content-Length": "12" };
    const request = new Request("https://a/request", {
      method: "POST",
      headers,
      body: endless,
      duplex: "half",
    });
    const response = await aStowage(service).handler(request);
    expect(await answerOf(response)).toMatchObject({ status: 413, body: { code: "body_too_large" } });
    expect(sentBytes).toBeLessThan(200_000);
  });

  test("refuses a body by its Content-Length without reading it", async () => {
    const request = post("request", { filename: "a", size: 1 }, { "Content-Length": "70000" });
    expect((await aStowage(service).handler(request)).status).toBe(413);
    expect(request.bodyUsed).toBe(false);
  });
});
