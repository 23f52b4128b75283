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
      other: { onComplete: () => Promise.reject(new Error("the wrong route was called")) },
    },
  });
}

async function call(action: string, body: object, user = "ada") {
  const response = await aHelper().handler(
    new Request(`https://app.example/api/stowage/${action}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-User": user },
      body: JSON.stringify(body),
    }),
  );
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
