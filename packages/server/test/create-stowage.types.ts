import type { RoutesOf } from "@stowage/schemas";
import * as z from "zod";
import { z as zod3 } from "zod/v3";
import { expectTypeOf } from "vitest";
import { API_KEY } from "@stowage/service-fake";
import {
  createStowage,
  type CompletedFile,
  type StandardSchema,
  type StoredFile,
  type Stowage,
  type StowageOptions,
} from "../src/index.js";

// The types that TypeScript infers for a customer's routes. `tsc` checks this file. No test runner executes it.
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
      // `onComplete` may come before `input`.
      onComplete: async ({ file, tenantId }) => {
        expectTypeOf(file).toEqualTypeOf<CompletedFile>();
        expectTypeOf(file.size).toBeNumber();
        expectTypeOf(file).toExtend<StoredFile>();
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
    // Its classes have methods that return other schemas.
    old: {
      input: zod3.object({ album: zod3.string(), stars: zod3.number().default(1) }),
      metadata({ input }) {
        expectTypeOf(input).toEqualTypeOf<{ album: string; stars: number }>();
        return {};
      },
    },
    plain: {
      metadata: (ctx) => {
        expectTypeOf(ctx.input).toEqualTypeOf<undefined>();
        return {};
      },
      onComplete() {},
    },
    maybe: { onComplete: async ({ file }) => (file.size === 0 ? undefined : [file.size]) },
    empty: {},
  },
});

// Each route's input and result are inferred from one literal.
expectTypeOf<RoutesOf<typeof stowage>>().toEqualTypeOf<{
  photo: {
    input: { album?: string | undefined; stars: string };
    result: { id: number; takenAt: string; caption?: string | undefined };
  };
  scan: { input: { n: string }; result: string };
  old: { input: { album: string; stars?: number | undefined }; result: undefined };
  plain: { input: undefined; result: undefined };
  maybe: { input: undefined; result: number[] | undefined };
  empty: { input: undefined; result: undefined };
}>();

// Routes are optional.
const without = createStowage(base);
expectTypeOf<keyof RoutesOf<typeof without>>().toEqualTypeOf<never>();

// With any routes the result is a Stowage. The options may be in a variable.
expectTypeOf(stowage).toExtend<Stowage>();
const options: StowageOptions = { ...base, routes: { photo: { maxSize: 5 } } };
expectTypeOf(createStowage(options)).toExtend<Stowage>();

// Each mistake is a compile error.
// @ts-expect-error: a route has no such member
createStowage({ ...base, routes: { photo: { maxsize: 5 } } });
// @ts-expect-error: the callback's name belongs to another library
createStowage({ ...base, routes: { photo: { maxSize: 5, onUploadComplete: () => 4 } } });
// @ts-expect-error: the text is not a size
createStowage({ ...base, routes: { photo: { maxSize: "4 apples" } } });
// @ts-expect-error: the object is not a schema
createStowage({ ...base, routes: { photo: { input: { parse: () => 4 } } } });
// @ts-expect-error: metadata must be text
createStowage({ ...base, routes: { photo: { metadata: () => ({ stars: 4 }) } } });
createStowage({
  ...base,
  routes: {
    photo: {
      input: z.object({ a: z.string() }),
      // @ts-expect-error: the schema has no such member
      metadata: (ctx) => ({ b: ctx.input.b }),
    },
  },
});
// @ts-expect-error: the route has no schema
createStowage({ ...base, routes: { photo: { metadata: (ctx) => ({ b: ctx.input.b }) } } });
// @ts-expect-error: a limit belongs into a route
createStowage({ ...base, maxSize: "4MB" });
// @ts-expect-error: there is no such option
createStowage({ ...base, route: {} });
