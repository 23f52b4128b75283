import * as z from "zod";
import { describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";

const creating = (routes: unknown) => () =>
  aStowage({ url: "https://files.example" }, { routes: routes as Record<string, object> });

describe("a route", () => {
  test.each([
    [[], "routes must be an object of routes by name"],
    ["avatar", "routes must be an object of routes by name"],
    [{ "": {} }, "routes.: a route's name has 1 to 64 letters, digits, hyphens and underscores"],
    [{ "a b": {} }, "routes.a b: a route's name has 1 to 64 letters, digits, hyphens and underscores"],
    [{ ["a".repeat(65)]: {} }, /a route's name has 1 to 64 letters/],
    [{ avatar: null }, "routes.avatar must be an object"],
    [{ avatar: () => {} }, "routes.avatar must be an object"],
    [
      { avatar: { onUploadComplete() {} } },
      "routes.avatar.onUploadComplete is not a member of a route: those are accept, maxSize, minSize, maxFiles, multipartFrom, expiresAfter, folder, cacheControl, requireVariant, visibility, input, metadata, replaces, onBeforeUpload, onComplete",
    ],
    [
      { avatar: { accept: 7 } },
      'routes.avatar.accept must be a text such as "image/*", or a list of such texts',
    ],
    [
      { avatar: { accept: [7] } },
      'routes.avatar.accept must be a text such as "image/*", or a list of such texts',
    ],
    [{ avatar: { accept: " , " } }, "routes.avatar.accept is empty: leave it out to accept every file"],
    [
      { avatar: { accept: "image/*,png" } },
      'routes.avatar.accept: "png" is neither a type such as "image/png" or "image/*" nor an extension such as ".png"',
    ],
    [{ avatar: { accept: "*/png" } }, /"\*\/png" is neither a type/],
    [{ avatar: { maxSize: "4 apples" } }, 'routes.avatar.maxSize: "4 apples" is not a size such as "4MB"'],
    [{ avatar: { minSize: -1 } }, /^createStowage: routes\.avatar\.minSize: "-1" is not a size/],
    [
      { avatar: { multipartFrom: "large" } },
      'routes.avatar.multipartFrom: "large" is not a size such as "4MB"',
    ],
    [
      { avatar: { multipartFrom: "1TB" } },
      "routes.avatar.multipartFrom must be at most 5GiB, the limit of one PUT, or false for no parts",
    ],
    [
      { avatar: { minSize: "2MB", maxSize: "1MB" } },
      "routes.avatar.minSize is more than its maxSize: no file could pass",
    ],
    [{ avatar: { maxFiles: 0 } }, "routes.avatar.maxFiles must be a whole number of at least 1"],
    [{ avatar: { maxFiles: 1.5 } }, "routes.avatar.maxFiles must be a whole number of at least 1"],
    [{ avatar: { expiresAfter: 59 } }, "routes.avatar.expiresAfter must be from 60 to 315360000 seconds"],
    [
      { avatar: { folder: "a/../b" } },
      'routes.avatar.folder: a segment of folder must not be empty, "." or ".."',
    ],
    [
      { avatar: { cacheControl: "no-store\n" } },
      'routes.avatar.cacheControl must be a text of visible ASCII characters such as "max-age=3600"',
    ],
    [
      { avatar: { replaces: () => null, requireVariant: "face" } },
      "routes.avatar: replaces and requireVariant exclude each other: the old file would be deleted before a variant is made of the new one",
    ],
    [
      { avatar: { requireVariant: "Face 1" } },
      "routes.avatar.requireVariant must be the name of an image preset",
    ],
    [{ avatar: { visibility: "secret" } }, 'routes.avatar.visibility must be "private" or "public"'],
    [{ avatar: { expiresAfter: "1h" } }, "routes.avatar.expiresAfter must be a whole number of at least 1"],
    [
      { avatar: { input: { parse() {} } } },
      "routes.avatar.input must be a Standard Schema, such as one of zod 3.24 or valibot 1 and later",
    ],
    [{ avatar: { metadata: {} } }, "routes.avatar.metadata must be a function"],
    [{ avatar: { onBeforeUpload: true } }, "routes.avatar.onBeforeUpload must be a function"],
    [{ avatar: { onComplete: "done" } }, "routes.avatar.onComplete must be a function"],
  ])("is refused with one sentence: %j", (routes, sentence) => {
    expect(creating(routes)).toThrow(
      typeof sentence === "string" ? new TypeError(`createStowage: ${sentence}`) : sentence,
    );
    expect(creating(routes)).toThrow(/^createStowage: [^\n]+$/);
  });

  test.each([
    {},
    { "a-Z_9": {} },
    { all: { accept: "*" } },
    { all: { accept: ["*/*", ".tar.gz", "image/svg+xml"] } },
    { all: { accept: undefined, maxSize: undefined, onComplete: undefined, input: undefined } },
    { brief: { expiresAfter: 60 } },
    { exact: { minSize: 5, maxSize: 5, input: z.string() } },
  ])("is accepted: %j", (routes) => {
    expect(creating(routes)).not.toThrow();
  });
});
