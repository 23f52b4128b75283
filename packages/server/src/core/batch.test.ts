import { aService, hangsUp, says, staysSilent, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH, post } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { StowageError } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  service.calls.length = 0;
  service.always(undefined);
});

const files = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ filename: `${index}.txt`, size: index + 1, ...more }));

interface Result {
  status: number;
  answer?: Record<string, unknown>;
  error?: object;
}
const resultsOf = ({ body }: { body?: Record<string, unknown> }) => body?.["results"] as Result[];

describe.each(transports)("over $name, a batch", (transport) => {
  test("of 100 requests answers 100 tickets in the order of the request", async () => {
    const body = { files: files(100) };
    const answer = await transport.call(aStowage(service), "request-batch", body);
    const results = resultsOf(answer);
    expect(results.map(({ status, answer: ticket }) => [status, ticket?.["max_bytes"]])).toEqual(
      body.files.map(({ size }) => [200, size]),
    );
    expect(service.calls.map(({ body: { tenant_id } }) => tenant_id)).toEqual(
      body.files.map(() => "user_ada"),
    );
    expect(JSON.stringify(answer)).not.toContain("tenant_id");
  });

  test("judges each file by its own form, rules and callbacks, and fails no other file", async () => {
    const asked: string[] = [];
    const routes = {
      note: {
        maxSize: 10,
        maxFiles: 3,
        onBeforeUpload: ({ file: { filename } }: { file: { filename: string } }) => {
          asked.push(filename);
          if (filename === "no") throw new StowageError("upload_refused", { detail: "Not today" });
          if (filename === "bug") throw new Error("a secret");
        },
      },
    };
    const note = { filename: "a", size: 1, route: "note" };
    const body = {
      files: [
        note,
        { ...note, filename: " " },
        7,
        { ...note, size: 11 },
        { ...note, files_before: 3 },
        { ...note, route: "other" },
        { ...note, filename: "no" },
        { ...note, filename: "bug" },
        { ...note, files_before: 2 },
      ],
    };
    const stowage = aStowage(service, { routes });
    const refused = (status: number, code: string, detail: string) => ({ status, error: { code, detail } });
    const stored = { status: 200, answer: expect.objectContaining({ file_path: FILE_PATH }) };
    expect(resultsOf(await transport.call(stowage, "request-batch", body))).toEqual([
      stored,
      refused(400, "filename_required", "filename is required"),
      refused(400, "invalid_request", expect.any(String)),
      refused(400, "file_too_large", "size must be at most 10 bytes"),
      refused(400, "too_many_files", "Too many files"),
      refused(404, "route_not_found", '"other" is not an upload route. There are: note'),
      refused(403, "upload_refused", "Not today"),
      refused(500, "internal_error", "Internal error"),
      stored,
    ]);
    expect(asked).toEqual(["a", "no", "bug", "a"]);
    expect(stowage.reported.map(({ message }) => message)).toEqual([
      "routes.note.onBeforeUpload threw an error",
    ]);
  });

  test("tells for each file what the service refused, and when it may be repeated", async () => {
    service.next(says(429, { detail: "Too many requests" }, { "Retry-After": "7" }));
    service.next(says(403, { detail: "Storage quota exceeded for this tenant" }));
    const body = { files: files(2) };
    const results = resultsOf(await transport.call(aStowage(service), "request-batch", body));
    expect(results.toSorted((one, other) => other.status - one.status)).toEqual([
      {
        status: 429,
        error: { code: "too_many_requests", detail: "Too many requests" },
        retry_after_seconds: 7,
      },
      {
        status: 403,
        error: { code: "quota_exceeded", detail: "Storage quota exceeded for this tenant" },
      },
    ]);
  });

  test("passes each file's own idempotency key on", async () => {
    service.next(hangsUp);
    const body = { files: files(3).map((file) => ({ ...file, idempotency_key: `batch-${file.size}` })) };
    const answer = await transport.call(aStowage(service), "request-batch", body);
    expect(resultsOf(answer).map(({ status }) => status)).toEqual([200, 200, 200]);
    const sizesOfKey = service.calls.map((call) => [call.idempotencyKey, call.body["size"]]);
    expect(sizesOfKey).toHaveLength(4);
    for (const [key, size] of sizesOfKey) expect(key).toBe(`batch-${String(size)}`);
  });

  test("of completions runs the onComplete of each file, for the user's own files only", async () => {
    const completed: string[] = [];
    const routes = {
      note: { onComplete: ({ file }: { file: { filePath: string } }) => completed.push(file.filePath) },
    };
    const stowage = aStowage(service, { routes });
    await transport.call(stowage, "request", { filename: "a", size: 1, route: "note" });
    const body = { files: [{ file_path: FILE_PATH }, { file_path: "" }, { file_path: "projects/p/other" }] };
    const results = resultsOf(await transport.call(stowage, "complete-batch", body));
    expect(results).toMatchObject([
      { status: 200, answer: { file_path: FILE_PATH, status: "stored", result: 1 } },
      { status: 400, error: { code: "invalid_request" } },
      { status: 200, answer: { file_path: "projects/p/other" } },
    ]);
    expect(completed).toEqual([FILE_PATH]);
    const ofGrace = await transport.call(stowage, "complete-batch", body, { "X-Test-User": "user_grace" });
    expect(resultsOf(ofGrace)[0]).toEqual({
      status: 404,
      error: { code: "file_not_found", detail: "File not found" },
    });
    expect(completed).toEqual([FILE_PATH]);
  });

  test.each([
    ["request-batch", {}, "files must be a list"],
    ["request-batch", { files: [] }, "files must name at least one file"],
    ["complete-batch", { files: files(101) }, "files must name at most 100 files"],
  ] as const)("%s is refused as a whole: %j", async (action, body, detail) => {
    expect(await transport.call(aStowage(service), action, body)).toEqual({
      status: 400,
      code: "invalid_request",
      detail,
    });
    const noSession = { "X-Test-User": "" };
    const answer = await transport.call(aStowage(service), action, { files: files(1) }, noSession);
    expect([answer.status, service.calls]).toEqual([401, []]);
  });
});

test("a batch has at most 10 files at the service at once, and starts no other once the browser left", async () => {
  service.always(staysSilent);
  const page = new AbortController();
  const asked: string[] = [];
  const routes = {
    note: { onBeforeUpload: ({ file }: { file: { filename: string } }) => void asked.push(file.filename) },
  };
  const stowage = aStowage(service, { routes });
  const request = new Request(post("request-batch", { files: files(30, { route: "note" }) }), {
    signal: page.signal,
  });
  const answered = stowage.handler(request);
  await expect.poll(() => service.calls.length).toBe(10);
  page.abort();
  await answered;
  expect([asked.length, service.calls.length, stowage.reported]).toEqual([10, 10, []]);
});

test("a batch may have 1 MiB: 100 files with the longest names, but not more", async () => {
  const stowage = aStowage(service);
  const filename = "\u{1f600}".repeat(255);
  const longest = files(100, { filename, content_type: `text/${"x".repeat(122)}`, idempotency_key: "k" });
  const escaped = JSON.stringify({ files: longest }).replaceAll("\u{1f600}", "\\ud83d\\ude00");
  expect((await stowage.handler(post("request-batch", escaped))).status).toBe(200);
  const tooLong = await stowage.handler(
    post("request-batch", { files: files(1, { input: "x".repeat(1024 ** 2) }) }),
  );
  expect([tooLong.status, await tooLong.json()]).toEqual([
    413,
    { code: "body_too_large", detail: "Request body must be at most 1048576 bytes" },
  ]);
});
