import { join } from "node:path";
import { createStowage, type CompleteContext } from "@stowage/server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "#settings.js";
import { type Local, startLocal } from "#start-local.js";
import { aFolder } from "./fixtures/a-run.js";

/*
 * The helper's routes over the real service and the real store: what the stand-in service of its own tests is held to.
 */
let folder: Awaited<ReturnType<typeof aFolder>>;
let local: Local;
beforeAll(async () => {
  folder = await aFolder();
  local = await startLocal(readSettings({ PORT: "0", STOWAGE_DATA_DIR: join(folder.path, "data") }));
});
afterAll(async () => {
  await local?.stop();
  await folder?.remove();
});

let completed: CompleteContext[];
let faults: Error[];
beforeEach(() => {
  completed = [];
  faults = [];
});

/** A customer's helper; who is signed in stands in a header, in place of a session. */
function aHelper() {
  return createStowage({
    apiKey: local.demo.api_key,
    baseUrl: local.serviceUrl,
    tenant: (request) => request.headers.get("X-User"),
    allowDelete: true,
    onError: (error) => faults.push(error),
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
      other: { onComplete: () => Promise.reject(new Error("the wrong route")) },
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

/** Asks by the route, and PUTs as a browser would. */
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

const notFound = { status: 404, body: { code: "file_not_found", detail: "File not found" } };

describe("a file that a route has let in", () => {
  test("is completed by its onComplete, each time it is asked, and deleted", async () => {
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
    expect(faults).toEqual([]);
  });

  test("is nobody else's to complete or to delete", async () => {
    const path = await upload("mine");
    const names = { file_path: path, tenant_id: "ada", route: "note" };
    expect(await call("complete", names, "grace")).toEqual(notFound);
    expect(await call("delete", names, "grace")).toEqual(notFound);
    expect(completed).toEqual([]);
    expect((await call("complete", { file_path: path })).status).toBe(200);
  });

  test("never meets another route's onComplete", async () => {
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
    expect(faults.map(({ message }) => message)).toEqual(["routes.other.onComplete threw an error"]);
  });

  test("has the size that was judged: storage takes no other", async () => {
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
