import type { RoutesOf } from "@stowage/schemas";
import * as z from "zod";
import { describe, expectTypeOf, it } from "vitest";
import { API_KEY } from "@stowage/service-fake";
import {
  createStowage,
  type StandardSchema,
  type StoredFile,
  type Stowage,
  type StowageOptions,
} from "./index.js";

/*
 * What the compiler makes of routes as a customer writes them: tsc judges this file, the test runner only runs it.
 */
const base = { apiKey: API_KEY, baseUrl: "https://files.example", tenant: () => null };

interface Photo {
  id: number;
  takenAt: Date;
  caption?: string;
}

const anySchema: StandardSchema<{ n: string }, { n: number }> = {
  "~standard": { version: 1, vendor: "ours", validate: () => ({ value: { n: 1 } }) },
};

const stowage = createStowage({
  ...base,
  routes: {
    photo: {
      accept: "image/*",
      maxSize: "4MB",
      // Before `input`, as one may write it.
      onComplete: async ({ file, tenantId }) => {
        expectTypeOf(file).toEqualTypeOf<StoredFile>();
        expectTypeOf(tenantId).toBeString();
        return { id: 7, takenAt: new Date(0) } as Photo;
      },
      metadata: (ctx) => ({ album: ctx.input.album, stars: ctx.input.stars.toFixed() }),
      onBeforeUpload: async ({ input, file }) => {
        expectTypeOf(input).toEqualTypeOf<{ album: string; stars: number }>();
        expectTypeOf(file.size).toEqualTypeOf<number | undefined>();
      },
      input: z.object({ album: z.string().default("none"), stars: z.string().transform(Number) }),
    },
    scan: {
      accept: [".pdf", "image/tiff"],
      input: anySchema,
      metadata({ input }) {
        expectTypeOf(input).toEqualTypeOf<{ n: number }>();
        return {};
      },
      onComplete: ({ file }) => file.filePath,
    },
    plain: {
      metadata: (ctx) => {
        expectTypeOf(ctx.input).toEqualTypeOf<undefined>();
        return {};
      },
      onComplete() {},
    },
    maybe: { onComplete: async ({ file }) => (file.size === null ? undefined : [file.size]) },
    empty: {},
  },
});

it("infers each route's input and result from one literal", () => {
  expectTypeOf<RoutesOf<typeof stowage>>().toEqualTypeOf<{
    photo: {
      input: { album?: string | undefined; stars: string };
      result: { id: number; takenAt: string; caption?: string | undefined };
    };
    scan: { input: { n: string }; result: string };
    plain: { input: undefined; result: undefined };
    maybe: { input: undefined; result: number[] | undefined };
    empty: { input: undefined; result: undefined };
  }>();
});

it("needs no routes, and then has none", () => {
  const without = createStowage(base);
  expectTypeOf<keyof RoutesOf<typeof without>>().toEqualTypeOf<never>();
});

it("is a Stowage whatever its routes, and may be made of options of a type of their own", () => {
  expectTypeOf(stowage).toExtend<Stowage>();
  const options: StowageOptions = { ...base, routes: { photo: { maxSize: 5 } } };
  expectTypeOf(createStowage(options)).toExtend<Stowage>();
});

describe("a mistake is a compile error", () => {
  // None of these is run: some would be refused when run, too.
  it.each([
    () =>
      // @ts-expect-error: no member of a route
      createStowage({ ...base, routes: { photo: { maxsize: 5 } } }),
    () =>
      // @ts-expect-error: the name of another library's callback
      createStowage({ ...base, routes: { photo: { maxSize: 5, onUploadComplete: () => 4 } } }),
    () =>
      // @ts-expect-error: no size
      createStowage({ ...base, routes: { photo: { maxSize: "4 apples" } } }),
    () =>
      // @ts-expect-error: no schema
      createStowage({ ...base, routes: { photo: { input: { parse: () => 4 } } } }),
    () =>
      // @ts-expect-error: metadata is text
      createStowage({ ...base, routes: { photo: { metadata: () => ({ stars: 4 }) } } }),
    () =>
      createStowage({
        ...base,
        routes: {
          photo: {
            input: z.object({ a: z.string() }),
            // @ts-expect-error: the schema has no such member
            metadata: (ctx) => ({ b: ctx.input.b }),
          },
        },
      }),
    () =>
      // @ts-expect-error: there is no schema
      createStowage({ ...base, routes: { photo: { metadata: (ctx) => ({ b: ctx.input.b }) } } }),
    () =>
      // @ts-expect-error: no option
      createStowage({ ...base, route: {} }),
  ])("%#", (mistake) => {
    expectTypeOf(mistake).toBeFunction();
  });
});
