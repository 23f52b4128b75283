import { describe, expect, onTestFinished, test, vi } from "vitest";
import { browserUploadRequest } from "./browser/upload.js";
import { StowageError } from "./errors.js";
import { parse } from "./parse.js";
import { uploadRequest } from "./calls/request-upload.js";

const good = { tenant_id: "t", filename: "a.txt" };

describe("an upload request", () => {
  test("is parsed to camelCase, without the missing fields", () => {
    expect(parse(uploadRequest, { ...good, content_md5: "XUFAKrxLKna5cZ2REBfFkg==" })).toEqual({
      tenantId: "t",
      filename: "a.txt",
      contentMd5: "XUFAKrxLKna5cZ2REBfFkg==",
    });
  });

  test("treats null and an empty content_type as missing", () => {
    const parsed = parse(uploadRequest, {
      ...good,
      content_type: "",
      size: null,
      content_md5: null,
      metadata: null,
    });
    expect(parsed).toMatchObject({
      contentType: undefined,
      size: undefined,
      contentMd5: undefined,
      metadata: undefined,
    });
  });

  test("normalises the filename to NFC, and leaves the tenant_id unchanged", () => {
    expect(parse(uploadRequest, { tenant_id: "e\u0301", filename: "e\u0301" })).toMatchObject({
      tenantId: "e\u0301",
      filename: "\u00e9",
    });
  });

  test("counts Unicode code points, not UTF-16 units", () => {
    expect(parse(uploadRequest, { ...good, filename: "🙂".repeat(255) }).filename).toHaveLength(510);
    expect(() => parse(uploadRequest, { ...good, filename: "🙂".repeat(256) })).toThrow(
      "at most 255 characters",
    );
  });

  test("refuses a long filename before it normalises it, which would take quadratic time", () => {
    const filename = `a${"\u0301".repeat(16_000)}${"\u0323".repeat(15_000)}`;
    const normalize = vi.spyOn(String.prototype, "normalize");
    onTestFinished(() => normalize.mockRestore());
    parse(uploadRequest, good);
    expect(normalize.mock.contexts).toContain(good.filename);
    expect(() => parse(uploadRequest, { ...good, filename })).toThrow("at most 255 characters");
    expect(normalize.mock.contexts).not.toContain(filename);
  });

  test("keeps and validates every member of the metadata, also one named __proto__", () => {
    const named = (value: unknown) =>
      JSON.parse(`{"__proto__":${JSON.stringify(value)},"constructor":"y"}`) as unknown;
    expect(JSON.stringify(parse(uploadRequest, { ...good, metadata: named("x") }).metadata)).toBe(
      '{"__proto__":"x","constructor":"y"}',
    );
    expect(() => parse(uploadRequest, { ...good, metadata: named({ a: 1 }) })).toThrow("must be strings");
  });

  test("measures the filename after normalisation", () => {
    expect(parse(uploadRequest, { ...good, filename: "e\u0301".repeat(255) }).filename).toHaveLength(255);
  });

  test.each(["image/png", "text/plain;charset=utf-8", 'a/b; c="d\\"e"', "application/vnd.x+json"])(
    "accepts the content_type %s",
    (type) => {
      expect(parse(uploadRequest, { ...good, content_type: type }).contentType).toBe(type);
    },
  );

  test.each(["image", "/png", "image/", "image/png;", "image/png; a", "im age/png", "ïmage/png", "a/b, c/d"])(
    "refuses the content_type %s",
    (type) => {
      expect(() => parse(uploadRequest, { ...good, content_type: type })).toThrow(StowageError);
    },
  );

  test("fails with the specific code if the catalogue has one for the message", () => {
    const codeOf = (body: unknown) => {
      try {
        parse(uploadRequest, body);
      } catch (error) {
        return (error as StowageError).code;
      }
      return undefined;
    };
    expect(codeOf({ tenant_id: "t" })).toBe("filename_required");
    expect(codeOf({ filename: "f" })).toBe("tenant_id_required");
    expect(codeOf({ ...good, size: -1 })).toBe("invalid_request");
  });
});

test("a request of a browser ignores tenant_id", () => {
  expect(parse(browserUploadRequest, { ...good, size: 1 })).toEqual({ filename: "a.txt", size: 1 });
});
