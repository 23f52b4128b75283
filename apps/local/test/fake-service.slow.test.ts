import { join } from "node:path";
import { API_KEY, aService } from "@stowage/service-fake";
import { operations } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSettings } from "#settings.js";
import { startLocal } from "#start-local.js";
import { aFolder } from "./fixtures/a-run.js";

/*
 * What the helper's own tests have in place of the service, beside the service itself: the same calls get the same answers.
 */
interface Subject extends AsyncDisposable {
  url: string;
  apiKey: string;
  /** Has the bytes arrive. */
  put(ticket: { presigned_url: string; headers: Record<string, string> }): Promise<unknown>;
}

const subjects: [string, () => Promise<Subject>][] = [
  [
    "the service",
    async () => {
      const folder = await aFolder();
      const local = await startLocal(
        readSettings({ PORT: "0", STOWAGE_DATA_DIR: join(folder.path, "data") }),
      );
      return {
        url: local.serviceUrl,
        apiKey: local.demo.api_key,
        put: ({ presigned_url, headers }) =>
          fetch(presigned_url, { method: "PUT", headers, body: "hello, world" }),
        async [Symbol.asyncDispose]() {
          await local.stop();
          await folder.remove();
        },
      };
    },
  ],
  [
    "its stand-in",
    async () => {
      const service = await aService();
      const { url } = service;
      const dispose = () => service[Symbol.asyncDispose]();
      return { url, apiKey: API_KEY, put: async () => {}, [Symbol.asyncDispose]: dispose };
    },
  ],
];

describe.each(subjects)("%s", (_name, start) => {
  let subject: Subject;
  beforeAll(async () => void (subject = await start()));
  afterAll(() => subject?.[Symbol.asyncDispose]());

  async function call(path: string, body?: object, apiKey = subject.apiKey) {
    const response = await fetch(`${subject.url}/api/storage/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  const asked = { filename: "notes.txt", size: 12, metadata: { album: "sea" }, tenant_id: "ada" };
  const ticketFor = async () => operations.requestUpload.answer.parse((await call("upload/", asked)).body);

  test("answers a ticket of exactly these members", async () => {
    const { status, body } = await call("upload/", asked);
    expect(status).toBe(200);
    const ticket = operations.requestUpload.answer.parse(body);
    expect(body).toEqual(ticket);
    expect(ticket).toMatchObject({ tenant_id: "ada", content_type: "text/plain", max_bytes: 12 });
    expect(ticket.headers).toMatchObject({ "Content-Type": "text/plain" });
    expect(Date.parse(ticket.expires_at) - Date.now()).toBeGreaterThan(3_590_000);
  });

  test("completes, finds and deletes a file for its owner", async () => {
    const ticket = await ticketFor();
    await subject.put(ticket);
    const own = { file_path: ticket.file_path, tenant_id: "ada" };
    const completed = await call("complete/", own);
    expect(completed).toEqual({
      status: 200,
      body: {
        ...own,
        filename: "notes.txt",
        content_type: "text/plain",
        size: 12,
        status: "stored",
        etag: expect.any(String),
        metadata: { album: "sea" },
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        stored_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(await call(`file/?${new URLSearchParams(own)}`)).toEqual(completed);
    expect(await call("delete/", own)).toEqual({
      status: 200,
      body: { deleted: [own.file_path], not_found: [] },
    });
  });

  test("finds no file of another", async () => {
    const { file_path } = await ticketFor();
    const others = { file_path, tenant_id: "grace" };
    const notFound = { status: 404, body: { detail: "File not found" } };
    expect(await call("complete/", others)).toEqual(notFound);
    expect(await call(`file/?${new URLSearchParams(others)}`)).toEqual(notFound);
    expect(await call("delete/", others)).toEqual(notFound);
  });

  test("refuses another key, and knows no other path", async () => {
    const other = `${subject.apiKey.slice(0, -1)}${subject.apiKey.endsWith("x") ? "y" : "x"}`;
    expect(await call("upload/", asked, other)).toEqual({ status: 401, body: { detail: "Unauthorized" } });
    expect(await call("nowhere/", {})).toEqual({ status: 404, body: { detail: "Not found" } });
  });
});
