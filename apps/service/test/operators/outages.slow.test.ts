import type { AnyProcedure } from "@trpc/server";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { startProvider, type TestProvider } from "@stowage/oidc-provider";
import { roles } from "@stowage/operator-schemas";
import { signInCalls } from "#auth/sign-in.js";
import { appRouter } from "#trpc/router.js";
import type { Meta } from "#trpc/procedures.js";
import { anOperator, anOwnedProject, DASHBOARD_URL, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anOutageProxy, type OutageProxy } from "../fixtures/an-outage-proxy.js";
import { procedureCases, type ProcedurePath } from "../isolation/dashboard-cases.js";
import type { Target } from "../isolation/target.js";

let database: OutageProxy;
let provider: TestProvider;
let service: RunningService;
let person: Person;
let projectRef: string;
beforeAll(async () => {
  database = await anOutageProxy(inject("servers").DATABASE_URL);
  provider = await startProvider({ redirectUri: `${DASHBOARD_URL}/auth/callback/oidc` });
  service = await aService({
    DATABASE_URL: database.url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  });
  person = await anOperator(service.url);
  ({ projectRef } = await anOwnedProject(person));
});
afterEach(() => database.bringBack());
afterAll(async () => {
  await service.close();
  await Promise.all([provider.close(), database.close()]);
});

/** Names for every input. All calls fail before the service checks whether these exist. */
const target = {
  name: "a name",
  tenantId: "t",
  filename: "a.txt",
  fileId: 1,
  pendingFileId: 2,
  path: "a",
  tryItPath: "a",
  cursors: {},
  eventId: "e",
  memberId: "m",
  sessionId: "s",
  invitationId: 1,
  invitationEmail: "a@example.com",
  invitationToken: "token",
  revokedToken: "token",
} as unknown as Target;

const procedures = appRouter._def.procedures as unknown as Record<ProcedurePath, AnyProcedure>;
const calls = Object.entries(procedureCases).map(([path, cases]) => {
  const { type, meta } = procedures[path as ProcedurePath]._def;
  const { role } = meta as Meta;
  const isOfProject = (roles as readonly string[]).includes(role);
  return { path, type, role, isOfProject, input: Object.values(cases)[0]!.input(target) };
});

test("every procedure answers 503 while the database is down, and says if it has changed nothing", async () => {
  await database.takeDown();
  const answers = await Promise.all(
    calls.map(async ({ path, type, isOfProject, input }) => {
      const send = { query: person.query, mutation: person.mutate, subscription: person.firstEvent }[type];
      const { status, code, text } = await send(path, { ...input, ...(isOfProject ? { projectRef } : {}) });
      return { path, status, code, hasChangedNothing: text.includes(`"hasChangedNothing":true`) };
    }),
  );
  expect(answers).toEqual(
    calls.map(({ path, role }) => ({
      path,
      status: 503,
      code: "unavailable",
      // A verb runs only with a session. Verbs that need none have run, and fail at their own queries.
      hasChangedNothing: role !== "public",
    })),
  );
});

test("every call of the sign-in answers 503 while the database is down, and keeps the session", async () => {
  const cookies = [...person.cookies];
  await database.takeDown();
  const body = { email: person.email, password: PASSWORD, currentPassword: PASSWORD };
  const answers = await Promise.all(
    signInCalls.map(async (path) => {
      const sent = { ...body, newPassword: `${PASSWORD}!`, code: "123456" };
      const { status, code } = await person.auth(path.slice(1), sent);
      return { path, status, code };
    }),
  );
  expect(answers).toEqual(signInCalls.map((path) => ({ path, status: 503, code: "unavailable" })));
  expect([...person.cookies]).toEqual(cookies);
  await database.bringBack();
  await expect.poll(async () => (await person.query("session.me")).status).toBe(200);
});
