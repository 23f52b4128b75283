import { describe, expect, test } from "vitest";
import { cancelRequest } from "./calls/cancel-upload.js";
import { deleteRequest } from "./calls/delete-files.js";
import { downloadRequest } from "./calls/create-download.js";
import { errorCodeOf } from "./errors.js";
import { listFilesQuery } from "./calls/list-files.js";
import { parse } from "./parse.js";
import { listTenantsQuery } from "./calls/list-tenants.js";
import { setQuotaRequest } from "./calls/set-quota.js";
import { uploadRequest } from "./calls/request-upload.js";

describe("a delete request", () => {
  test("requires one path to exist, does not require it of several, and counts repeated paths once", () => {
    expect(parse(deleteRequest, { file_path: "a", tenant_id: null })).toEqual({
      paths: ["a"],
      mustExist: true,
    });
    expect(parse(deleteRequest, { file_paths: ["b", "a", "b"], tenant_id: "t" })).toEqual({
      paths: ["b", "a"],
      mustExist: false,
      tenantId: "t",
    });
  });

  test.each<[unknown, string]>([
    [{}, "file_path or file_paths is required"],
    [{ file_path: null }, "file_path or file_paths is required"],
    [{ file_path: "a", file_paths: ["a"] }, "file_path and file_paths must not be given together"],
    [{ file_path: "" }, "file_path is required"],
    [{ file_paths: [] }, "file_paths must have at least 1 path"],
    [{ file_paths: "a" }, "file_paths must be a list of strings"],
    [{ file_paths: ["a", 1] }, "each of file_paths must be a string"],
    [{ file_paths: ["a\0"] }, "each of file_paths must not contain control characters"],
    [{ file_paths: Array.from({ length: 1001 }, String) }, "file_paths must have at most 1000 paths"],
    [[], "Request body must be a JSON object"],
  ])("refuses invalid input with a message: %#", (body, sentence) => {
    expect(() => parse(deleteRequest, body)).toThrow(sentence);
  });
});

test("a cancel request has a path and, optionally, the tenant that must own it", () => {
  expect(parse(cancelRequest, { file_path: "a", tenant_id: null })).toEqual({ filePath: "a" });
  expect(parse(cancelRequest, { file_path: "a", tenant_id: "t" })).toEqual({ filePath: "a", tenantId: "t" });
  expect(() => parse(cancelRequest, {})).toThrow("file_path is required");
  expect(() => parse(cancelRequest, [])).toThrow("Request body must be a JSON object");
});

describe("a download request", () => {
  test("treats null as a missing field, and a blank filename too", () => {
    const nothing = { tenant_id: null, expires_in: null, disposition: null, filename: " " };
    expect(parse(downloadRequest, { file_path: "p", ...nothing })).toEqual({ filePath: "p" });
  });

  test.each<[object, string]>([
    [{ expires_in: 0 }, "expires_in must be at least 1 second"],
    [{ expires_in: 604_801 }, "expires_in must be at most 604800 seconds"],
    [{ expires_in: 1.5 }, "expires_in must be a whole number of seconds"],
    [{ expires_in: "60" }, "expires_in must be a whole number of seconds"],
    [{ disposition: "embedded" }, "disposition must be one of attachment, inline"],
    [{ filename: "a\r\nSet-Cookie: x" }, "filename must not contain control characters"],
    [{ filename: "x".repeat(256) }, "filename must be at most 255 characters"],
    [{ file_path: undefined }, "file_path is required"],
  ])("refuses invalid input with a message: %#", (members, sentence) => {
    expect(() => parse(downloadRequest, { file_path: "p", ...members })).toThrow(sentence);
  });
});

describe("a quota request", () => {
  test("accepts a number of bytes, or null", () => {
    for (const quota_bytes of [0, Number.MAX_SAFE_INTEGER, null]) {
      expect(parse(setQuotaRequest, { tenant_id: "t", quota_bytes })).toEqual({
        tenantId: "t",
        quotaBytes: quota_bytes,
      });
    }
  });

  test.each<[object, string]>([
    [{}, "quota_bytes is required"],
    [{ quota_bytes: -1 }, "quota_bytes must be at least 0"],
    [{ quota_bytes: 1.5 }, "quota_bytes must be a whole number of bytes, or null for the project's default"],
    [
      { quota_bytes: 2 ** 53 },
      "quota_bytes must be a whole number of bytes, or null for the project's default",
    ],
    [{ quota_bytes: "5" }, "quota_bytes must be a whole number of bytes, or null for the project's default"],
  ])("refuses invalid input with a message: %#", (members, sentence) => {
    expect(() => parse(setQuotaRequest, { tenant_id: "t", ...members })).toThrow(sentence);
  });
});

test("a list request treats an empty q as no search, and names the possible sort orders", () => {
  expect(parse(listFilesQuery, { q: "" })).toEqual({ limit: 50 });
  expect(parse(listTenantsQuery, {})).toEqual({ limit: 50, sort: "created_at" });
  expect(() => parse(listTenantsQuery, { sort: "name" })).toThrow(
    "sort must be one of created_at, used_bytes",
  );
  expect(() => parse(listFilesQuery, { q: "x".repeat(256) })).toThrow("q must be at most 255 characters");
});

test("a size above the limit of S3 has the same code as the service's own refusal", () => {
  expect(() => parse(uploadRequest, { tenant_id: "t", filename: "f", size: 2 ** 40 })).toThrow(
    expect.objectContaining({ code: "file_too_large" }),
  );
  expect(errorCodeOf("size must be at most 10 bytes", 400)).toBe("file_too_large");
  expect(errorCodeOf("Upload is incomplete: 4 of 12 parts are stored", 409)).toBe("upload_incomplete");
  expect(errorCodeOf("Unauthorized")).toBe("unauthorized");
  expect(errorCodeOf("Unauthorized", 404)).toBeUndefined();
});
