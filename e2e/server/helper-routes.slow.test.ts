import { createStowage, type CompleteContext } from "@stowage/server";
import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { type CreatedProject, aProject } from "../fixtures/a-project.js";

let project: CreatedProject;
beforeAll(async () => void (project = await aProject()));

let completed: CompleteContext[];
let errors: Error[];
beforeEach(() => {
  completed = [];
  errors = [];
});

/** The helper of a customer's backend. A header names the signed-in user. */
function aHelper() {
  return createStowage({
    apiKey: project.apiKey,
    baseUrl: inject("stowage").url,
    tenant: (request) => request.headers.get("X-User"),
    allowDelete: true,
    onError: (error) => errors.push(error),
    routes: {
      note: {
        accept: ".txt",
        maxSize: "1KB",
        metadata: ({ tenantId }) => ({ writtenBy: tenantId }),
        onComplete: (context) => {
          completed.push(context);
          return { runs: completed.length, path: context.file.filePath };
        },
      },
      video: {
        multipartFrom: "5MiB",
        metadata: () => ({ writtenBy: "the backend" }),
        onComplete: ({ file }) => ({ size: file.size }),
      },
      other: { onComplete: () => Promise.reject(new Error("the wrong route was called")) },
    },
  });
}

const call = (action: string, body: object, user = "ada") =>
  send(action, { method: "POST", body: JSON.stringify(body) }, user);
const read = (action: string, query: Record<string, string> = {}, user = "ada") =>
  send(`${action}?${new URLSearchParams(query)}`, {}, user);

async function send(path: string, init: RequestInit, user: string) {
  const headers = { "Content-Type": "application/json", "X-User": user };
  const request = new Request(`https://app.example/api/stowage/${path}`, { ...init, headers });
  const response = await aHelper().handler(request);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Requests an upload with the route and sends it as a browser does. @returns the file's path */
async function upload(text: string, route = "note"): Promise<string> {
  const { status, body } = await call("request", { filename: "note.txt", size: text.length, route });
  expect(status).toBe(200);
  const put = await fetch(body["presigned_url"] as string, {
    method: "PUT",
    headers: body["headers"] as Record<string, string>,
    body: text,
  });
  expect(put.status).toBe(200);
  return body["file_path"] as string;
}

test("a page that repeats a request without an answer uses its quota once", async () => {
  const user = "full";
  const quota = await fetch(`${inject("stowage").url}/api/storage/quota/`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${project.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ tenant_id: user, quota_bytes: 100 }),
  });
  expect(quota.status).toBe(200);
  const request = { filename: "note.txt", size: 100, route: "note" };
  const once = { ...request, idempotency_key: "one" };
  const [first, second] = [await call("request", once, user), await call("request", once, user)];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body["file_path"]).toBe(first.body["file_path"]);
  expect(await call("request", request, user)).toMatchObject({ status: 403 });
});

const notFound = { status: 404, body: { code: "file_not_found", detail: "File not found" } };

describe("a file that was uploaded with a route of the helper", () => {
  test("runs its onComplete for each completion call, and can be deleted", async () => {
    const path = await upload("hello");
    const first = await call("complete", { file_path: path });
    expect(first).toMatchObject({
      status: 200,
      body: { file_path: path, status: "stored", size: 5, result: { runs: 1, path } },
    });
    expect(first.body).not.toHaveProperty("metadata");
    expect(first.body).not.toHaveProperty("tenant_id");
    expect(completed[0]).toMatchObject({
      tenantId: "ada",
      route: "note",
      file: { filePath: path, tenantId: "ada", metadata: { writtenBy: "ada", stowage_route: "note" } },
    });
    const second = await call("complete", { file_path: path });
    expect(second.body).toEqual({ ...first.body, result: { runs: 2, path } });

    expect(await call("delete", { file_path: path })).toEqual({ status: 200, body: {} });
    expect(await call("delete", { file_path: path })).toEqual(notFound);
    expect(await call("complete", { file_path: path })).toEqual(notFound);
    expect(completed).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  test("cannot be cancelled once its bytes are in storage, unlike an upload without bytes", async () => {
    const stored = await upload("hello");
    expect(await call("cancel", { file_path: stored })).toEqual({
      status: 409,
      body: { code: "upload_already_stored", detail: "Upload is already stored" },
    });
    const { body } = await call("request", { filename: "note.txt", size: 5, route: "note" });
    const open = { file_path: body["file_path"] };
    expect(await call("cancel", open, "grace")).toEqual(notFound);
    for (let time = 0; time < 2; time++) {
      expect(await call("cancel", open)).toEqual({ status: 200, body: {} });
    }
    expect(await call("complete", open)).toEqual(notFound);
    expect(errors).toEqual([]);
  });

  test("cannot be completed or deleted by another tenant", async () => {
    const path = await upload("mine");
    const body = { file_path: path, tenant_id: "ada", route: "note" };
    expect(await call("complete", body, "grace")).toEqual(notFound);
    expect(await call("delete", body, "grace")).toEqual(notFound);
    expect(completed).toEqual([]);
    expect((await call("complete", { file_path: path })).status).toBe(200);
  });

  test("never runs the onComplete of another route", async () => {
    const path = await upload("hello");
    const named = await call("complete", {
      file_path: path,
      route: "other",
      metadata: { stowage_route: "other" },
    });
    expect(named.body).toMatchObject({ result: { path } });
    const other = await upload("hello", "other");
    expect(await call("complete", { file_path: other, route: "note" })).toMatchObject({
      status: 500,
      body: { code: "callback_failed" },
    });
    expect(completed.map(({ file }) => file.filePath)).toEqual([path]);
    expect(errors.map(({ message }) => message)).toEqual(["routes.other.onComplete threw an error"]);
  });

  test("must have the declared size, or storage refuses it", async () => {
    const { body } = await call("request", { filename: "note.txt", size: 5, route: "note" });
    const put = await fetch(body["presigned_url"] as string, {
      method: "PUT",
      headers: body["headers"] as Record<string, string>,
      body: "x".repeat(2000),
    });
    expect(put.status).toBe(403);
    expect(await call("complete", { file_path: body["file_path"] })).toMatchObject({
      status: 409,
      body: { code: "upload_not_found" },
    });
    expect(completed).toEqual([]);
  });
});

describe("a large file", () => {
  const PART = 5 * 1024 ** 2;
  const size = PART + 5;
  const video = { filename: "a.mp4", size, route: "video", accepts_parts: true, fingerprint: "of a" };

  /** Opens an upload of two parts. @returns its path */
  async function open(user: string): Promise<string> {
    const { status, body } = await call("request", video, user);
    expect([status, body["part_size"], body["part_count"]]).toEqual([200, PART, 2]);
    return body["file_path"] as string;
  }

  async function putPart(path: string, number: number, bytes: number, user: string): Promise<number> {
    const { body } = await call("parts", { file_path: path, parts: [{ number }] }, user);
    const [part] = body["parts"] as [{ presigned_url: string; headers: Record<string, string> }];
    const init = { method: "PUT", headers: part.headers, body: new Uint8Array(bytes) };
    return (await fetch(part.presigned_url, init)).status;
  }

  test("is uploaded by parts, and continued from what storage has", async () => {
    const user = "parts";
    const path = await open(user);
    expect(await putPart(path, 2, 6, user)).toBe(403);
    expect(await putPart(path, 2, 5, user)).toBe(200);
    expect(await call("complete", { file_path: path }, user)).toEqual({
      status: 409,
      body: { code: "upload_incomplete", detail: "Upload is incomplete: 1 of 2 parts are stored" },
    });
    const { body: opened } = await read("open", {}, user);
    expect(opened).toMatchObject({
      uploads: [{ file_path: path, route: "video", declared_size: size, part_count: 2, fingerprint: "of a" }],
      next_cursor: null,
    });
    expect(JSON.stringify(opened)).not.toMatch(/writtenBy|tenant_id/);
    const { body: stored } = await read("parts", { file_path: path }, user);
    expect(stored).toEqual({
      parts: [{ number: 2, size: 5, etag: expect.any(String) }],
      next_cursor: null,
    });
    expect(await putPart(path, 1, PART, user)).toBe(200);
    for (let time = 0; time < 2; time++) {
      expect(await call("complete", { file_path: path }, user)).toMatchObject({
        status: 200,
        body: { status: "stored", size, result: { size } },
      });
    }
    expect((await read("open", {}, user)).body).toEqual({ uploads: [], next_cursor: null });
    expect(errors).toEqual([]);
  });

  test("can be cancelled, and can neither be seen nor changed by another tenant", async () => {
    const user = "cancels";
    const path = await open(user);
    expect(await putPart(path, 2, 5, user)).toBe(200);
    const ofPath = { file_path: path, tenant_id: user };
    expect(await call("parts", { ...ofPath, parts: [{ number: 1 }] }, "grace")).toEqual(notFound);
    expect(await read("parts", ofPath, "grace")).toEqual(notFound);
    expect(await call("complete", ofPath, "grace")).toEqual(notFound);
    expect(await call("cancel", ofPath, "grace")).toEqual(notFound);
    expect((await read("open", { tenant_id: user }, "grace")).body).toEqual({
      uploads: [],
      next_cursor: null,
    });
    expect(await call("cancel", ofPath, user)).toEqual({ status: 200, body: {} });
    expect((await read("open", {}, user)).body).toEqual({ uploads: [], next_cursor: null });
    const usage = await fetch(`${inject("stowage").url}/api/storage/usage/?tenant_id=${user}`, {
      headers: { Authorization: `Bearer ${project.apiKey}` },
    });
    expect(await usage.json()).toMatchObject({ used_bytes: 0, reserved_bytes: 0 });
  });
});

test("a batch opens and completes each file by its own rules", async () => {
  const note = { filename: "note.txt", size: 5, route: "note" };
  const files = [note, { ...note, size: 2000 }, { ...note, filename: "a.exe" }, note];
  const opened = await call("request-batch", { files }, "batch");
  const results = opened.body["results"] as { status: number; answer?: Record<string, unknown> }[];
  expect(results.map(({ status }) => status)).toEqual([200, 400, 400, 200]);
  const paths = results.flatMap(({ answer }) =>
    answer === undefined ? [] : [answer["file_path"] as string],
  );
  const first = results[0]!.answer!;
  const init = { method: "PUT", headers: first["headers"] as Record<string, string>, body: "hello" };
  expect((await fetch(first["presigned_url"] as string, init)).status).toBe(200);
  const completions = { files: paths.map((file_path) => ({ file_path })) };
  expect(await call("complete-batch", completions, "batch")).toMatchObject({
    status: 200,
    body: {
      results: [
        { status: 200, answer: { status: "stored", result: { path: paths[0] } } },
        { status: 409, error: { code: "upload_not_found" } },
      ],
    },
  });
  expect(completed.map(({ file }) => file.filePath)).toEqual([paths[0]]);
});
