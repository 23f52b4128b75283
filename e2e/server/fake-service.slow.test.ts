import { createHash } from "node:crypto";
import { API_KEY, aService } from "@stowage/service-fake";
import { operations, type SignedPart } from "@stowage/schemas";
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
  /** Uploads the bytes of a part. They are zeros. */
  putPart(path: string, part: SignedPart): Promise<unknown>;
}

const subjects: [string, () => Promise<Subject>][] = [
  [
    "the service",
    async () => ({
      url: inject("stowage").url,
      apiKey: (await aProject({ trashDays: 7, maxVersions: 3 })).apiKey,
      put: ({ presigned_url, headers }) =>
        fetch(presigned_url, { method: "PUT", headers, body: "hello, world" }),
      putPart: (_path, { presigned_url, headers, size }) =>
        fetch(presigned_url, { method: "PUT", headers, body: new Uint8Array(size) }),
      [Symbol.asyncDispose]: async () => {},
    }),
  ],
  [
    "the fake service",
    async () => {
      const service = await aService();
      const dispose = () => service[Symbol.asyncDispose]();
      return {
        url: service.url,
        apiKey: API_KEY,
        put: async () => {},
        putPart: async (path, { number, size }) =>
          service.storePart(path, { number, size, etag: md5OfZeros(size) }),
        [Symbol.asyncDispose]: dispose,
      };
    },
  ],
];

const md5OfZeros = (bytes: number) => createHash("md5").update(new Uint8Array(bytes)).digest("hex");

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
    const before = Date.now();
    const { status, body } = await call("upload/", uploadRequest);
    expect(status).toBe(200);
    const upload = operations.requestUpload.answer.parse(body);
    expect(body).toEqual(upload);
    expect(upload).toMatchObject({ tenant_id: "ada", content_type: "text/plain", max_bytes: 12 });
    expect(upload.headers).toMatchObject({ "Content-Type": "text/plain" });
    // URLs are signed in whole seconds.
    expect(Date.parse(upload.expires_at) - before).toBeGreaterThan(3_599_000);
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
        folder: "",
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        stored_at: expect.stringMatching(/^\d{4}-.*Z$/),
        scan_status: "none",
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
    const { file_path, tenant_id } = ofOwner;
    const many = await call("downloads/", { file_paths: [file_path], tenant_id, reuse: true });
    expect(many).toEqual({ status: 200, body: operations.createDownloads.answer.parse(many.body) });
    expect(many.body).toMatchObject({ downloads: [{ file_path, size: 12 }], not_found: [] });
    expect(await call("downloads/", { file_paths: [file_path], tenant_id: "lin" })).toEqual({
      status: 200,
      body: { downloads: [], not_found: [file_path] },
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
    const usage = {
      reserved_bytes: 0,
      quota_bytes: expect.toSatisfy((quota) => quota !== undefined),
      plan: null,
      max_files: null,
      max_open_uploads: null,
      uploads_per_minute: null,
    };
    expect((await call("usage/?tenant_id=lin")).body).toEqual({ ...usage, used_bytes: 24, file_count: 2 });
    expect((await call("usage/?tenant_id=new")).body).toEqual({ ...usage, used_bytes: 0, file_count: 0 });
  });

  const PART = 5 * 1024 ** 2;
  const openRequest = { ...uploadRequest, size: PART + 5, fingerprint: "of notes" };
  const layout = {
    declared_size: PART + 5,
    part_size: PART,
    part_count: 2,
    expires_at: expect.any(String),
  };
  const openUpload = async (tenant_id: string) =>
    operations.openUpload.answer.parse((await call("uploads/", { ...openRequest, tenant_id })).body);

  test("opens an upload by parts, lists it, signs and lists parts, and completes it", async () => {
    const tenant_id = "by-parts";
    const { status, body } = await call("uploads/", { ...openRequest, tenant_id });
    expect(status).toBe(200);
    const upload = operations.openUpload.answer.parse(body);
    expect(body).toEqual(upload);
    expect(upload).toMatchObject({ tenant_id, part_size: PART, part_count: 2, max_bytes: PART + 5 });
    const ofOwner = { file_path: upload.file_path, tenant_id };

    const signed = await call("uploads/parts/", { ...ofOwner, parts: [{ number: 2 }, { number: 1 }] });
    const { parts } = operations.signParts.answer.parse(signed.body);
    expect(signed).toEqual({ status: 200, body: { parts } });
    expect(parts.map(({ number, size, headers }) => [number, size, headers])).toEqual([
      [2, 5, {}],
      [1, PART, {}],
    ]);
    const incomplete = (count: number) => ({
      status: 409,
      body: { detail: `Upload is incomplete: ${count} of 2 parts are stored` },
    });
    expect(await call("complete/", ofOwner)).toEqual(incomplete(0));
    await subject.putPart(upload.file_path, parts[0]!);
    expect(await call("complete/", ofOwner)).toEqual(incomplete(1));
    expect(await call(`uploads/parts/?${new URLSearchParams(ofOwner)}`)).toEqual({
      status: 200,
      body: {
        parts: [{ number: 2, size: 5, etag: md5OfZeros(5) }],
        next_cursor: null,
        ...layout,
      },
    });

    const pending = { ...ofOwner, filename: "notes.txt", content_type: "text/plain", size: null };
    expect(await call("uploads/?tenant_id=by-parts")).toEqual({
      status: 200,
      body: {
        uploads: [
          {
            ...pending,
            status: "pending",
            etag: null,
            metadata: { album: "sea" },
            folder: "",
            created_at: expect.any(String),
            stored_at: null,
            scan_status: "none",
            ...layout,
            parts_stored: expect.any(Number),
            bytes_stored: expect.any(Number),
            fingerprint: "of notes",
          },
        ],
        next_cursor: null,
      },
    });
    await subject.putPart(upload.file_path, parts[1]!);
    const completed = await call("complete/", ofOwner);
    expect(completed).toMatchObject({ status: 200, body: { ...ofOwner, status: "stored", size: PART + 5 } });
    expect(await call("complete/", ofOwner)).toEqual(completed);
    expect((await call("uploads/?tenant_id=by-parts")).body).toEqual({ uploads: [], next_cursor: null });
    expect(await call("uploads/parts/", { ...ofOwner, parts: [{ number: 1 }] })).toEqual({
      status: 409,
      body: { detail: "Upload is already stored" },
    });
  });

  test("cancels an upload by parts, and refuses parts of another tenant and parts that it does not have", async () => {
    const tenant_id = "cancels";
    const { file_path } = await openUpload(tenant_id);
    const ofOther = { file_path, tenant_id: "grace" };
    const notFound = { status: 404, body: { detail: "File not found" } };
    expect(await call("uploads/parts/", { ...ofOther, parts: [{ number: 1 }] })).toEqual(notFound);
    expect(await call(`uploads/parts/?${new URLSearchParams(ofOther)}`)).toEqual(notFound);
    expect(await call("complete/", ofOther)).toEqual(notFound);
    expect(await call("cancel/", ofOther)).toEqual(notFound);
    expect(await call("uploads/parts/", { file_path, tenant_id, parts: [{ number: 3 }] })).toEqual({
      status: 400,
      body: { detail: "number must be at most 2" },
    });
    expect(await call("cancel/", { file_path, tenant_id })).toMatchObject({
      status: 200,
      body: { file_path },
    });
    expect((await call("uploads/?tenant_id=cancels")).body).toEqual({ uploads: [], next_cursor: null });
  });

  test("creates, lists and revokes share links of a tenant's file", async () => {
    const upload = await requestUpload();
    await subject.put(upload);
    const { file_path } = upload;
    const ofOwner = { file_path, tenant_id: "ada" };
    const ofOther = { file_path, tenant_id: "grace" };
    await call("complete/", ofOwner);
    const options = { expires_after: 3600, max_downloads: 5, password: "correct horse" };
    const made = await call("links/", { ...ofOwner, ...options });
    const { url: _url, ...link } = operations.createLink.answer.parse(made.body);
    expect(made).toEqual({ status: 200, body: operations.createLink.answer.parse(made.body) });
    expect(link).toMatchObject({
      ...ofOwner,
      max_downloads: 5,
      has_password: true,
      disposition: "attachment",
    });
    expect((await call("links/", ofOther)).status).toBe(404);
    const list = (query: Record<string, string>) => call(`links/?${new URLSearchParams(query)}`);
    expect(await list(ofOwner)).toEqual({ status: 200, body: { links: [link], next_cursor: null } });
    expect(await list(ofOther)).toEqual({ status: 200, body: { links: [], next_cursor: null } });
    const { link_id } = link;
    const noLink = { status: 404, body: { detail: "Link not found" } };
    expect(await call("links/revoke/", { link_id, tenant_id: "grace" })).toEqual(noLink);
    expect(await call("links/revoke/", { link_id, file_path: `${file_path}x` })).toEqual(noLink);
    expect(await call("links/revoke/", { link_id, ...ofOwner })).toEqual({ status: 200, body: link });
    expect(await call("links/revoke/", { link_id, ...ofOwner })).toEqual(noLink);
  });

  test("lists, downloads and restores the versions of a tenant's file", async () => {
    const tenant_id = "versions";
    const store = async (replaces?: string) => {
      const requested = await call("upload/", { ...uploadRequest, tenant_id, replaces });
      const upload = operations.requestUpload.answer.parse(requested.body);
      await subject.put(upload);
      await call("complete/", { file_path: upload.file_path, tenant_id });
      return upload.file_path;
    };
    const version = await store();
    const file_path = await store(version);
    const ofOwner = { file_path, tenant_id };
    const ofOther = { file_path, tenant_id: "grace" };
    const notFound = { status: 404, body: { detail: "File not found" } };
    const list = (query: Record<string, string>) => call(`versions/?${new URLSearchParams(query)}`);
    const listed = await list(ofOwner);
    expect(listed).toEqual({ status: 200, body: operations.listVersions.answer.parse(listed.body) });
    expect(listed.body).toMatchObject({
      versions: [{ file_path: version, tenant_id, status: "trashed", replaced_by: file_path, size: 12 }],
    });
    expect(await list(ofOther)).toEqual(notFound);
    expect(await call("download/", { ...ofOwner, version })).toMatchObject({
      status: 200,
      body: { file_path: version },
    });
    for (const other of [
      { ...ofOther, version },
      { ...ofOwner, version: `${version}x` },
    ]) {
      expect(await call("download/", other)).toEqual(notFound);
      expect(await call("versions/restore/", other)).toEqual(notFound);
    }
    const restored = await call("versions/restore/", { ...ofOwner, version });
    expect(restored).toEqual({ status: 200, body: operations.restoreVersion.answer.parse(restored.body) });
    expect(restored.body).toMatchObject({ file_path: version, status: "stored" });
    expect(await call("versions/restore/", { ...ofOwner, version })).toEqual(restored);
    expect(await call("versions/restore/", { ...ofOther, version })).toEqual(notFound);
    expect((await list({ tenant_id, file_path: version })).body).toMatchObject({
      versions: [{ file_path, replaced_by: version }],
    });
    expect(await list(ofOwner)).toEqual(notFound);
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
