import * as z from "zod";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, type FakeService } from "@stowage/service-fake";
import { StowageError, type BeforeUploadContext, type StandardSchema } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const image = { filename: "a.png", content_type: "image/png", size: 100 };
const internal = { status: 500, code: "internal_error", detail: "Internal error" };

describe.each(transports)("over $name, the callbacks before an upload", (transport) => {
  test("say which file an upload replaces, which the browser cannot", async () => {
    const stowage = aStowage(service, {
      routes: {
        avatar: { replaces: async ({ tenantId }) => `avatar of ${tenantId}` },
        first: { replaces: () => null },
        wrong: { replaces: () => 7 as never },
      },
    });
    const request = (route: string) =>
      transport.call(stowage, "request", { ...image, route, replaces: "a file of another user" });
    expect((await request("avatar")).status).toBe(200);
    expect((await request("first")).status).toBe(200);
    expect(service.calls.map(({ body }) => body["replaces"])).toEqual(["avatar of user_ada", undefined]);
    expect(await request("wrong")).toMatchObject(internal);
  });

  test("run one after the other, and receive the user, the file and the page's input", async () => {
    const steps: [string, unknown][] = [];
    const stowage = aStowage(service, {
      routes: {
        docs: {
          maxSize: 1000,
          input: z
            .object({ album: z.string().transform((text) => text.toUpperCase()) })
            .transform((input) => {
              steps.push(["input", input]);
              return input;
            }),
          metadata: async ({ request, ...context }) => {
            steps.push(["metadata", context]);
            return { album: context.input.album, who: request.headers.get("X-Test-User") ?? "" };
          },
          onBeforeUpload: async ({ request: _, ...context }) => void steps.push(["onBeforeUpload", context]),
        },
      },
    });
    const seen = await transport.call(stowage, "request", {
      ...image,
      route: "docs",
      input: { album: "sea" },
    });
    expect(seen.status).toBe(200);
    const context = {
      tenantId: "user_ada",
      route: "docs",
      file: { filename: "a.png", contentType: "image/png", size: 100 },
      input: { album: "SEA" },
    };
    expect(steps).toEqual([
      ["input", { album: "SEA" }],
      ["onBeforeUpload", context],
      ["metadata", context],
    ]);
    expect(service.calls[0]?.body["metadata"]).toEqual({
      album: "SEA",
      who: "user_ada",
      stowage_route: "docs",
    });
  });

  test("do not run if the rules refuse the file or the user is not signed in", async () => {
    let called = 0;
    const onBeforeUpload = () => void called++;
    const stowage = aStowage(service, { routes: { docs: { maxSize: 10, onBeforeUpload } } });
    expect((await transport.call(stowage, "request", { ...image, route: "docs" })).code).toBe(
      "file_too_large",
    );
    const signedOut = { "X-Test-User": "" };
    expect(await transport.call(stowage, "request", { ...image, route: "docs" }, signedOut)).toEqual({
      status: 401,
      code: "unauthorized",
      detail: "Unauthorized",
    });
    expect(called).toBe(0);
  });

  test.each([
    [{ album: 7 }, "An album has a name"],
    [{}, "An album has a name"],
    [undefined, "There is no album"],
  ])("do not run for an input that its schema refuses: %j", async (input, detail) => {
    let called = 0;
    const schema = z.object(
      { album: z.string({ error: "An album has a name" }) },
      { error: "There is no album" },
    );
    const stowage = aStowage(service, {
      routes: { docs: { input: schema, onBeforeUpload: () => void called++ } },
    });
    expect(await transport.call(stowage, "request", { ...image, route: "docs", input })).toEqual({
      status: 400,
      code: "invalid_request",
      detail,
    });
    expect(called).toBe(0);
  });

  test("receive input that any Standard Schema checks, even if it is asynchronous or has an empty message", async () => {
    const schema: StandardSchema<string, number> = {
      "~standard": {
        version: 1,
        vendor: "ours",
        validate: async (value) =>
          typeof value === "string" ? { value: value.length } : { issues: [{ message: "" }] },
      },
    };
    const stowage = aStowage(service, {
      routes: { docs: { input: schema, metadata: ({ input }) => ({ length: input.toFixed(1) }) } },
    });
    await transport.call(stowage, "request", { ...image, route: "docs", input: "four" });
    expect(service.calls[0]?.body["metadata"]).toEqual({ length: "4.0", stowage_route: "docs" });
    expect(await transport.call(stowage, "request", { ...image, route: "docs" })).toEqual({
      status: 400,
      code: "invalid_request",
      detail: "Request is not valid",
    });
  });

  test.each(["metadata", "onBeforeUpload"])(
    "can refuse an upload by throwing a StowageError: %s",
    async (member) => {
      const refuse = () => {
        throw new StowageError("upload_refused", { detail: "Only on weekdays" });
      };
      for (const callback of [refuse, async () => refuse()]) {
        const stowage = aStowage(service, { routes: { docs: { [member]: callback } } });
        expect(await transport.call(stowage, "request", { ...image, route: "docs" })).toEqual({
          status: 403,
          code: "upload_refused",
          detail: "Only on weekdays",
        });
        expect(stowage.reported).toEqual([]);
      }
      expect(service.calls).toEqual([]);
    },
  );

  const failures: [string, () => unknown, RegExp][] = [
    [
      "throws",
      () => {
        throw new Error("database is down");
      },
      /threw an error$/,
    ],
    [
      "throws a string",
      () => {
        throw "database is down";
      },
      /threw an error$/,
    ],
    ["rejects", async () => Promise.reject(new Error("database is down")), /threw an error$/],
    ["hangs", () => new Promise(() => {}), /did not answer within 40 ms$/],
  ];
  test.each(
    ["metadata", "onBeforeUpload"].flatMap((member) =>
      failures.map((failure) => [member, ...failure] as const),
    ),
  )("cause internal_error if one fails: %s %s", async (member, how, callback, problem) => {
    const stowage = aStowage(service, { timeoutMs: 40, routes: { docs: { [member]: callback } } });
    expect(await transport.call(stowage, "request", { ...image, route: "docs" })).toEqual(internal);
    expect(stowage.reported.map(({ message }) => message)).toEqual([
      expect.stringMatching(new RegExp(`^routes\\.docs\\.${member} ${problem.source}`)),
    ]);
    if (how !== "hangs") expect(String(stowage.reported[0]?.cause)).toContain("database is down");
    expect(service.calls).toEqual([]);
  });

  test.each([
    [{ stowage_route: "avatar" }, "returned stowage_route, a name that is reserved for the helper"],
    [{ a: 7 }, "returned metadata that the service refuses: metadata members must be strings"],
    [
      { a: "x".repeat(3000) },
      "returned metadata that the service refuses: metadata must be at most 2048 characters",
    ],
    [
      Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`${n}`, ""])),
      "returned metadata that the service refuses: metadata must have at most 16 members",
    ],
    ["album", "must return an object of strings"],
    [["album"], "must return an object of strings"],
    [null, "must return an object of strings"],
  ])("cannot store %j with the file", async (labels, problem) => {
    const metadata = () => labels as Record<string, string>;
    const stowage = aStowage(service, { routes: { docs: { metadata } } });
    expect(await transport.call(stowage, "request", { ...image, route: "docs" })).toEqual(internal);
    expect(stowage.reported.map(({ message }) => message)).toEqual([`routes.docs.metadata ${problem}`]);
    expect(service.calls).toEqual([]);
  });

  test("do not see changes that another callback made to its context", async () => {
    const seen: unknown[] = [];
    const callback = (context: BeforeUploadContext<undefined>) => {
      seen.push(context.tenantId, context.file.size);
      context.tenantId = "user_grace";
      context.file.size = 7;
      return {};
    };
    const stowage = aStowage(service, {
      routes: { docs: { onBeforeUpload: (context) => void callback(context), metadata: callback } },
    });
    await transport.call(stowage, "request", { ...image, route: "docs" });
    expect(seen).toEqual(["user_ada", 100, "user_ada", 100]);
    expect(service.calls[0]?.body).toMatchObject({ tenant_id: "user_ada", size: 100 });
  });
});
