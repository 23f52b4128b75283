import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { isOwnPath, removeBasePath } from "./base-path.js";

const rewritten = (basePath: string, url: string) => removeBasePath(basePath)!({ url } as IncomingMessage);

test("nothing is rewritten without a path", () => {
  expect(removeBasePath("")).toBeUndefined();
});

test.each([
  ["/stowage", "/"],
  ["/stowage/", "/"],
  ["/stowage?days=7", "/?days=7"],
  ["/stowage/projects/a/files?q=b", "/projects/a/files?q=b"],
  ["/stowage/api/storage/upload/", "/api/storage/upload/"],
  ["/stowage/stowage", "/stowage"],
  // From a proxy that has removed the path, or for the API at its own host.
  ["/api/storage/upload/", "/api/storage/upload/"],
  ["/projects/a", "/projects/a"],
  ["/", "/"],
  // Another path of the same host.
  ["/stowage-old/projects", "/stowage-old/projects"],
  ["/Stowage/projects", "/Stowage/projects"],
])("a request for %s gets the answer of %s", (url, path) => {
  expect(rewritten("/stowage", url)).toBe(path);
});

test.each([
  ["/dashboard", "/dashboard/export/files.csv", "/dashboard/export/files.csv"],
  ["/dashboard", "/dashboard/dashboard/export/files.csv", "/dashboard/export/files.csv"],
  ["/dashboard", "/dashboard/projects", "/projects"],
  ["/api", "/api/storage/upload/", "/api/storage/upload/"],
  ["/api", "/api/trpc/session.me", "/trpc/session.me"],
  ["/tools/stowage", "/tools/stowage/docs/", "/docs/"],
])("below %s, a request for %s gets the answer of %s", (basePath, url, path) => {
  expect(rewritten(basePath, url)).toBe(path);
});

test("knows its own paths", () => {
  expect(
    ["/docs", "/docs/guides", "/trpc", "/api/storage", "/assets"].filter((path) => !isOwnPath(path)),
  ).toEqual([]);
  expect(["/", "/docs-of-stowage", "/dashboard", "/api", "/stowage"].filter(isOwnPath)).toEqual([]);
});
