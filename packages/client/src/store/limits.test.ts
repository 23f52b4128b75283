import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntime } from "../../test/runtime.js";
import { aMoment, aStoreAt, ended, failureOf, statuses } from "../../test/store.js";
import { createHttpTransport } from "../network/http-transport.js";
import { limitsOf } from "./limits.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

test("shows the limits of the route, and lets the limits of the page hide them", async () => {
  backend.settings.routes = { avatar: { accept: ["image/*"], max_size: 500, max_files: 2 } };
  const store = aStoreAt(backend, { route: "avatar", maxSize: "1KB" });
  store.subscribe(() => {});
  await expect.poll(() => store.getSnapshot().limits.maxFiles).toBe(2);
  expect(store.getSnapshot().limits).toMatchObject({ accept: ["image/*"], maxSize: 1000 });
  store.add([aFile("notes.txt", 1, "text/plain")]);
  expect(failureOf(store)?.code).toBe("file_type_not_accepted");
  expect(backend.of("routes")).toHaveLength(1);
});

test("checks a file again before the request when the limits arrived after it was added", async () => {
  backend.settings.routes = { avatar: { max_size: 500, max_files: 1 } };
  let endValidation: (() => void) | undefined;
  const store = aStoreAt(backend, {
    route: "avatar",
    validate: () => new Promise<null>((resolve) => (endValidation = () => resolve(null))),
    concurrency: 1,
  });
  store.add([aFile("large", 501), aFile("small", 1)]);
  await expect.poll(() => store.getSnapshot().limits.maxSize).toBe(500);
  // The code that calls it may be loaded after the limits.
  await expect.poll(() => endValidation).toBeDefined();
  endValidation!();
  await expect.poll(() => statuses(store)).toEqual(["failed", "preparing"]);
  expect(failureOf(store)?.code).toBe("file_too_large");
  expect(backend.of("request")).toHaveLength(0);
  store.cancelAll();
});

test("tries five times to get the limits, and uploads without them", async () => {
  backend.nextAnswers.routes.push(...Array.from({ length: 9 }, () => "cut" as const));
  const store = aStoreAt(backend, { route: "avatar" });
  store.add([aFile()]);
  await ended(store, "done");
  await expect.poll(() => backend.of("routes").length).toBeGreaterThanOrEqual(5);
  await aMoment();
  expect(backend.of("routes")).toHaveLength(5);
});

test("does not wait for limits that never arrive, not even when one call passes at a time", async () => {
  const runtime = aRuntime({ random: 0 });
  const http = createHttpTransport({ endpoint: backend.endpoint }, runtime);
  const transport = { ...http, routes: () => new Promise<never>(() => {}) };
  const store = aStoreAt(backend, { transport, route: "docs" }, runtime);
  backend.nextAnswers.request.push({ status: 503 });
  store.add([aFile()]);
  await expect.poll(() => runtime.pendingMs()).toContain(0);
  runtime.advance(0);
  await ended(store, "done");
});

test("hides each limit of the route that the page sets, and reads sizes as bytes", () => {
  const route = { accept: ["image/*"], max_size: 500, min_size: 1, max_files: 2 };
  expect(limitsOf({ accept: ".jpg", maxSize: "1KB", maxTotalSize: "2KB" }, route)).toEqual({
    accept: ".jpg",
    maxSize: 1000,
    minSize: 1,
    maxFiles: 2,
    maxTotalSize: 2000,
  });
  expect(limitsOf({ maxFiles: 9, minSize: 5 }, route)).toMatchObject({
    accept: ["image/*"],
    maxFiles: 9,
    minSize: 5,
  });
  expect(limitsOf({}).maxSize).toBeUndefined();
});

test("names the routes of the helper in the console if the page's route is not one of them, once", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  backend.settings.routes = { avatar: {}, documents: {} };
  for (const _ of [1, 2]) aStoreAt(backend, { route: "avatr" }).subscribe(() => {});
  await expect.poll(() => warn.mock.calls.length).toBe(1);
  aStoreAt(backend, { route: "avatar" }).subscribe(() => {});
  await expect.poll(() => backend.of("routes").length).toBe(3);
  expect(warn.mock.calls).toEqual([
    ['Stowage: "avatr" is not an upload route. There are: avatar, documents.'],
  ]);
  warn.mockRestore();
});
