import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from "@trpc/client";
import { initTRPC } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { afterAll, beforeAll, beforeEach, expect, expectTypeOf, test } from "vitest";
import { aStowage, FILE_PATH } from "../../test/a-stowage.js";
import { API_KEY, aService, says, type FakeService } from "@stowage/service-fake";
import { StowageError, type BrowserCompleteResponse } from "../index.js";
import {
  createStowageRouter,
  stowageErrorFormatter,
  type StowageContext,
  type StowageRouter,
} from "./trpc.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

function aClient({ user = "user_ada", headers = {} as Record<string, string> } = {}) {
  const stowage = aStowage(service);
  const answers: string[] = [];
  const causes: unknown[] = [];
  const client = createTRPCClient<StowageRouter>({
    links: [
      httpLink({
        url: "https://app.example/trpc",
        headers: { "X-Test-User": user, ...headers },
        fetch: async (url, init) => {
          const response = await fetchRequestHandler({
            endpoint: "/trpc",
            // tRPC declares narrower types for `fetch` than the global ones. At run time the values are the same.
            req: new Request(url as string, init as RequestInit),
            router: createStowageRouter(stowage),
            createContext: ({ req }) => ({ request: req }),
            onError: ({ error }) => causes.push(error.cause),
          });
          answers.push(await response.clone().text());
          return response;
        },
      }),
    ],
  });
  return { client, answers, causes, stowage };
}

async function failure(call: Promise<unknown>) {
  const error = await call.then(
    () => expect.fail("the call was expected to be refused"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCClientError)) throw error;
  return {
    message: error.message,
    code: error.data?.code as unknown,
    status: error.data?.httpStatus as unknown,
  };
}

test("requests and completes an upload with the types of the contract", async () => {
  const { client, answers } = aClient();
  const ticket = await client.request.mutate({ filename: "notes.txt", content_type: "text/plain", size: 12 });
  expect(ticket).toMatchObject({ file_path: FILE_PATH, headers: { "Content-Type": "text/plain" } });
  expect(ticket).not.toHaveProperty("tenant_id");
  expectTypeOf(ticket.expires_in).toEqualTypeOf<number>();
  const stored = await client.complete.mutate({ file_path: ticket.file_path });
  // Not equal: tRPC leaves `undefined` out of the types of optional members.
  expectTypeOf(stored).toExtend<BrowserCompleteResponse>();
  expect(stored.status).toBe("stored");
  expect(service.calls.map(({ body }) => body["tenant_id"])).toEqual(["user_ada", "user_ada"]);
  expect(answers.join()).not.toContain(API_KEY);
});

test("refuses an invalid input with the same texts as the handler", async () => {
  const { client, causes } = aClient();
  // @ts-expect-error: the filename is not optional
  const missing = await failure(client.request.mutate({}));
  expect(missing).toEqual({ message: "filename is required", code: "BAD_REQUEST", status: 400 });
  expect(causes[0]).toBeInstanceOf(StowageError);
  expect(causes[0]).toMatchObject({ code: "filename_required" });
});

test("answers UNAUTHORIZED without a session, before it parses the input", async () => {
  const { client } = aClient({ user: "" });
  const refused = await failure(client.request.mutate({ filename: "" }));
  expect(refused).toEqual({ message: "Unauthorized", code: "UNAUTHORIZED", status: 401 });
  expect(service.calls).toEqual([]);
});

test("refuses a request from a page of another site", async () => {
  const { client } = aClient({ headers: { "Sec-Fetch-Site": "cross-site" } });
  expect(await failure(client.request.mutate({ filename: "a", size: 1 }))).toMatchObject({
    code: "FORBIDDEN",
  });
});

test("maps refusals of the service by status", async () => {
  const { client, causes, stowage } = aClient();
  service.next(
    says(403, { detail: "Storage quota exceeded for this tenant" }),
    // The helper reads the usage, to explain the refusal.
    says(404, { detail: "Not found" }),
    says(500, "<html>"),
    says(401, { detail: "Unauthorized" }),
  );
  const codes: unknown[] = [];
  for (let round = 0; round < 3; round++) {
    codes.push((await failure(client.request.mutate({ filename: "a", size: 1 }))).code);
  }
  expect(codes).toEqual(["FORBIDDEN", "SERVICE_UNAVAILABLE", "INTERNAL_SERVER_ERROR"]);
  expect(causes.map((cause) => (cause as StowageError).code)).toEqual([
    "quota_exceeded",
    "unavailable",
    "internal_error",
  ]);
  expect(stowage.reported).toHaveLength(2);
});

test("passes on errors that tRPC itself raises", async () => {
  const stowage = aStowage(service);
  const response = await fetchRequestHandler({
    endpoint: "/trpc",
    req: new Request("https://app.example/trpc/request", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Test-User": "user_ada" },
      body: "{",
    }),
    router: createStowageRouter(stowage),
    createContext: ({ req }) => ({ request: req }),
  });
  expect(response.status).toBe(400);
  expect(stowage.reported).toEqual([]);
});

test("can be merged into a customer's router with a larger context", async () => {
  const t = initTRPC.context<StowageContext & { db: string }>().create({
    errorFormatter: stowageErrorFormatter,
  });
  const appRouter = t.router({
    hello: t.procedure.query(({ ctx }) => ctx.db),
    files: createStowageRouter(aStowage(service)),
  });
  const client = createTRPCClient<typeof appRouter>({
    links: [
      httpBatchLink({
        url: "https://app.example/trpc",
        headers: { "X-Test-User": "user_ada" },
        fetch: (url, init) =>
          fetchRequestHandler({
            endpoint: "/trpc",
            req: new Request(url as string, init as RequestInit),
            router: appRouter,
            createContext: ({ req }) => ({ request: req, db: "hello" }),
          }),
      }),
    ],
  });
  const [greeting, ticket] = await Promise.all([
    client.hello.query(),
    client.files.request.mutate({ filename: "a.txt", size: 1 }),
  ]);
  expect(greeting).toBe("hello");
  expect(ticket.file_path).toBe(FILE_PATH);
  const refused = await client.files.request.mutate({ filename: " " }).catch((error: unknown) => error);
  expect((refused as TRPCClientError<typeof appRouter>).data?.stowage).toEqual({
    code: "filename_required",
  });
  service.next(says(429, { detail: "Too many requests" }, { "Retry-After": "7" }));
  const busy = await client.files.request.mutate({ filename: "a", size: 1 }).catch((error: unknown) => error);
  expect((busy as TRPCClientError<typeof appRouter>).data?.stowage).toEqual({
    code: "too_many_requests",
    retry_after_seconds: 7,
  });
});

test("deletes and returns routes with the types of the contract", async () => {
  const { client } = aClient();
  const { routes } = await client.routes.query();
  expectTypeOf(routes["avatar"]?.max_size).toEqualTypeOf<number | undefined>();
  expect(routes).toEqual({});
  const refused = await failure(client.delete.mutate({ file_path: FILE_PATH }));
  expect(refused).toEqual({
    message: "Files cannot be deleted here: allowDelete does not allow it",
    code: "FORBIDDEN",
    status: 403,
  });
  // @ts-expect-error: file_path is required
  expect((await failure(client.delete.mutate({}))).status).toBe(400);
});

test("answers each call of a batch separately, and does not allow mutations by GET", async () => {
  const stowage = aStowage(service);
  const call = async (target: string, init: RequestInit = {}) => {
    const response = await fetchRequestHandler({
      endpoint: "/trpc",
      req: new Request(`https://app.example/trpc/${target}`, {
        ...init,
        headers: { "X-Test-User": "user_ada", "Content-Type": "application/json", ...init.headers },
      }),
      router: createStowageRouter(stowage),
      createContext: ({ req }) => ({ request: req }),
    });
    return { status: response.status, text: await response.text() };
  };
  const inputs = { 0: { filename: "a", size: 1 }, 1: { filename: " " }, 2: { file_path: FILE_PATH } };
  const mixed = await call("request,request,delete?batch=1", {
    method: "POST",
    body: JSON.stringify(inputs),
  });
  expect(mixed.status).toBe(207);
  expect(mixed.text).not.toContain(API_KEY);
  const answers = JSON.parse(mixed.text) as { result?: object; error?: { message: string } }[];
  expect(answers.map(({ error }) => error?.message)).toEqual([
    undefined,
    "filename is required",
    "Files cannot be deleted here: allowDelete does not allow it",
  ]);
  expect(service.calls).toHaveLength(1);

  // A link or an image on another site can only send a GET.
  const input = encodeURIComponent(JSON.stringify({ filename: "a", size: 1 }));
  expect((await call(`request?input=${input}`)).status).toBe(405);
  expect((await call("routes", { headers: { "Sec-Fetch-Site": "cross-site" } })).status).toBe(403);
  expect((await call("routes")).status).toBe(200);
  expect(service.calls).toHaveLength(1);
});

test("answers a batch of 100 calls without a warning about listeners of the request's signal", async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => void warnings.push(warning);
  process.on("warning", keep);
  const inputs = Array.from({ length: 100 }, () => ({ file_path: FILE_PATH }));
  const response = await fetchRequestHandler({
    endpoint: "/trpc",
    req: new Request(`https://app.example/trpc/${inputs.map(() => "complete").join()}?batch=1`, {
      method: "POST",
      headers: { "X-Test-User": "user_ada", "Content-Type": "application/json" },
      body: JSON.stringify(Object.fromEntries(inputs.entries())),
    }),
    router: createStowageRouter(aStowage(service)),
    createContext: ({ req }) => ({ request: req }),
  });
  expect(response.status).toBe(200);
  expect(service.calls).toHaveLength(100);
  process.off("warning", keep);
  expect(warnings).toEqual([]);
});

test("refuses a copy of the object that createStowage returned", () => {
  expect(() => createStowageRouter({ ...aStowage(service) })).toThrow(
    new TypeError("Pass the object that createStowage returned, not a copy of it"),
  );
});
