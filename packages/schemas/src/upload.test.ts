import { describe, expect, test } from "vitest";
import { browserUploadRequest } from "./browser.js";
import { StowageError } from "./errors.js";
import { parse } from "./parse.js";
import { uploadRequest } from "./upload.js";

const good = { tenant_id: "t", filename: "a.txt" };

describe("an upload request", () => {
  test("is turned into camelCase, with absent members absent", () => {
    expect(parse(uploadRequest, { ...good, content_md5: "XUFAKrxLKna5cZ2REBfFkg==" })).toEqual({
      tenantId: "t",
      filename: "a.txt",
      contentMd5: "XUFAKrxLKna5cZ2REBfFkg==",
    });
  });

  test("takes null, and a type of nothing, for absent: browsers say so of files they do not know", () => {
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

  test("has its filename in NFC, and its tenant_id untouched", () => {
    expect(parse(uploadRequest, { tenant_id: "e\u0301", filename: "e\u0301" })).toMatchObject({
      tenantId: "e\u0301",
      filename: "\u00e9",
    });
  });

  test("counts characters, not the units that JavaScript stores them in", () => {
    expect(parse(uploadRequest, { ...good, filename: "🙂".repeat(255) }).filename).toHaveLength(510);
    expect(() => parse(uploadRequest, { ...good, filename: "🙂".repeat(256) })).toThrow(
      "at most 255 characters",
    );
  });

  test("is refused at once however long it is: normalising first would take the square of it", () => {
    const filename = `a${"\u0301".repeat(16_000)}${"\u0323".repeat(15_000)}`;
    const startedAt = performance.now();
    expect(() => parse(uploadRequest, { ...good, filename })).toThrow("at most 255 characters");
    expect(performance.now() - startedAt).toBeLessThan(100);
  });

  test("keeps and judges every member of its metadata, one named __proto__ too", () => {
    const named = (value: unknown) =>
      JSON.parse(`{"__proto__":${JSON.stringify(value)},"constructor":"y"}`) as unknown;
    expect(JSON.stringify(parse(uploadRequest, { ...good, metadata: named("x") }).metadata)).toBe(
      '{"__proto__":"x","constructor":"y"}',
    );
    expect(() => parse(uploadRequest, { ...good, metadata: named({ a: 1 }) })).toThrow("must be strings");
  });

  test("is measured after NFC, as it is kept", () => {
    expect(parse(uploadRequest, { ...good, filename: "e\u0301".repeat(255) }).filename).toHaveLength(255);
  });

  test.each(["image/png", "text/plain;charset=utf-8", 'a/b; c="d\\"e"', "application/vnd.x+json"])(
    "takes the type %s",
    (type) => {
      expect(parse(uploadRequest, { ...good, content_type: type }).contentType).toBe(type);
    },
  );

  test.each(["image", "/png", "image/", "image/png;", "image/png; a", "im age/png", "ïmage/png", "a/b, c/d"])(
    "refuses the type %s",
    (type) => {
      expect(() => parse(uploadRequest, { ...good, content_type: type })).toThrow(StowageError);
    },
  );

  test("fails with the catalogue's code where it has one for the sentence", () => {
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

test("a browser's request has no tenant: one that is sent is ignored", () => {
  expect(parse(browserUploadRequest, { ...good, size: 1 })).toEqual({ filename: "a.txt", size: 1 });
});
