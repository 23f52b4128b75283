import { API_KEY, aService } from "@stowage/service-fake";
import { operations } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";

/*
 * The contract that the real service and its fake share. The helper's own tests use the fake.
 */
interface Subject extends AsyncDisposable {
  url: string;
  apiKey: string;
  /** Uploads the bytes of a requested upload. */
  put(upload: { presigned_url: string; headers: Record<string, string> }): Promise<unknown>;
}

const subjects: [string, () => Promise<Subject>][] = [
  [
    "the service",
    async () => ({
      url: inject("stowage").url,
      apiKey: (await aProject()).apiKey,
      put: ({ presigned_url, headers }) =>
        fetch(presigned_url, { method: "PUT", headers, body: "hello, world" }),
      [Symbol.asyncDispose]: async () => {},
    }),
  ],
  [
    "the fake service",
    async () => {
      const service = await aService();
      const dispose = () => service[Symbol.asyncDispose]();
      return { url: service.url, apiKey: API_KEY, put: async () => {}, [Symbol.asyncDispose]: dispose };
    },
  ],
];

describe.each(subjects)("%s", (_name, start) => {
  let subject: Subject;
  beforeAll(async () => void (subject = await start()));
  afterAll(() => subject?.[Symbol.asyncDispose]());

  async function call(path: string, body?: object, apiKey = subject.apiKey, headers = {}) {
    const response = await fetch(`${subject.url}/api/storage/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  const uploadRequest = { filename: "notes.txt", size: 12, metadata: { album: "sea" }, tenant_id: "ada" };
  const requestUpload = async () =>
    operations.requestUpload.answer.parse((await call("upload/", uploadRequest)).body);

  test("answers an upload request with exactly these properties", async () => {
    const { status, body } = await call("upload/", uploadRequest);
    expect(status).toBe(200);
    const upload = operations.requestUpload.answer.parse(body);
    expect(body).toEqual(upload);
    expect(upload).toMatchObject({ tenant_id: "ada", content_type: "text/plain", max_bytes: 12 });
    expect(upload.headers).toMatchObject({ "Content-Type": "text/plain" });
    expect(Date.parse(upload.expires_at) - Date.now()).toBeGreaterThan(3_590_000);
  });

  test("answers the same upload to the same Idempotency-Key and body, and refuses another body", async () => {
    const withKey = (body: object) => call("upload/", body, undefined, { "Idempotency-Key": "one" });
    const [first, second] = [await withKey(uploadRequest), await withKey(uploadRequest)];
    const pathOf = ({ body }: typeof first) => operations.requestUpload.answer.parse(body).file_path;
    expect(pathOf(second)).toBe(pathOf(first));
    expect(await withKey({ ...uploadRequest, size: 13 })).toEqual({
      status: 422,
      body: { detail: "Idempotency-Key was used for another request" },
    });
  });

  test("completes, finds, lists, downloads and deletes a file for its tenant", async () => {
    const upload = await requestUpload();
    await subject.put(upload);
    const ofOwner = { file_path: upload.file_path, tenant_id: "ada" };
    const completed = await call("complete/", ofOwner);
    expect(completed).toEqual({
      status: 200,
      body: {
        ...ofOwner,
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
    expect(await call(`file/?${new URLSearchParams(ofOwner)}`)).toEqual(completed);
    expect(await call("files/?tenant_id=ada&status=stored")).toEqual({
      status: 200,
      body: { files: [completed.body], next_cursor: null },
    });
    const download = await call("download/", ofOwner);
    expect(download).toEqual({
      status: 200,
      body: operations.createDownload.answer.parse(download.body),
    });
    expect(await call("delete/", ofOwner)).toEqual({
      status: 200,
      body: { deleted: [ofOwner.file_path], not_found: [] },
    });
  });

  test("lists in pages, and answers the usage of a tenant, known or not", async () => {
    for (const _ of [1, 2]) {
      const upload = operations.requestUpload.answer.parse(
        (await call("upload/", { ...uploadRequest, tenant_id: "lin" })).body,
      );
      await subject.put(upload);
      await call("complete/", { file_path: upload.file_path, tenant_id: "lin" });
    }
    const pageAfter = async (cursor: string | null) => {
      const query = { tenant_id: "lin", limit: "1", ...(cursor === null ? {} : { cursor }) };
      const { body } = await call(`files/?${new URLSearchParams(query)}`);
      return operations.listFiles.answer.parse(body);
    };
    const first = await pageAfter(null);
    expect(first).toMatchObject({ files: [{ tenant_id: "lin" }], next_cursor: expect.any(String) });
    expect(await pageAfter(first.next_cursor)).toMatchObject({ files: [{}], next_cursor: null });
    const usage = { reserved_bytes: 0, quota_bytes: expect.toSatisfy((quota) => quota !== undefined) };
    expect((await call("usage/?tenant_id=lin")).body).toEqual({ ...usage, used_bytes: 24, file_count: 2 });
    expect((await call("usage/?tenant_id=new")).body).toEqual({ ...usage, used_bytes: 0, file_count: 0 });
  });

  test("does not find a file of another tenant", async () => {
    const { file_path } = await requestUpload();
    const ofOther = { file_path, tenant_id: "grace" };
    const notFound = { status: 404, body: { detail: "File not found" } };
    expect(await call("complete/", ofOther)).toEqual(notFound);
    expect(await call(`file/?${new URLSearchParams(ofOther)}`)).toEqual(notFound);
    expect(await call("delete/", ofOther)).toEqual(notFound);
  });

  test("refuses an invalid key and an unknown path", async () => {
    const other = `${subject.apiKey.slice(0, -1)}${subject.apiKey.endsWith("x") ? "y" : "x"}`;
    expect(await call("upload/", uploadRequest, other)).toEqual({
      status: 401,
      body: { detail: "Unauthorized" },
    });
    expect(await call("nowhere/", {})).toEqual({ status: 404, body: { detail: "Not found" } });
  });
});
