import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile } from "../../../test/runtime.js";
import { aMoment, aStoreAt, ended } from "../../../test/store.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  backend.close();
});

test("warns once about CORS rules when storage never answers but the backend does, and logs no URL", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubGlobal("location", { origin: "https://app.example" });
  backend.nextAnswers.put.push(...Array.from({ length: 5 }, () => "cut" as const));
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  await expect.poll(() => warn).toHaveBeenCalledOnce();
  const text = String(warn.mock.calls[0]?.[0]);
  for (const hint of ["https://app.example", "PUT", "Content-Type, X-Signed", "AllowedOrigins"]) {
    expect(text).toContain(hint);
  }
  expect(text).not.toContain("signature=");
  expect(text).not.toContain("127.0.0.1");
  vi.unstubAllGlobals();
});

test("does not warn about CORS when storage answered in between", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  backend.nextAnswers.put.push("cut", "cut", { status: 500 }, "cut", { status: 500 });
  const store = aStoreAt(backend);
  store.add([aFile()]);
  await ended(store, "failed");
  await aMoment();
  expect(warn).not.toHaveBeenCalled();
});
