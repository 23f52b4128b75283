import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dashboardAddress } from "#auth/dashboard-address.js";
import { endSessionsOfOperator } from "#auth/end-sessions.js";
import type { SessionSummary } from "#auth/list-sessions.js";
import { removeTwoFactor } from "#auth/operators.js";
import { offerPasswordReset } from "#auth/password-reset.js";
import { type Database, openDatabase } from "#db/client.js";
import {
  anOperator,
  anOwnedProject,
  aPerson,
  DASHBOARD_URL,
  type DashboardAnswer,
  PASSWORD,
  type Person,
  type StreamEvent,
} from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anUpload } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";
import { setUpTwoFactor } from "../fixtures/totp.js";
import { whileUncommitted } from "../fixtures/while-uncommitted.js";

let service: RunningService;
let replica: RunningService;
let db: Database;
beforeAll(async () => {
  [service, replica] = await Promise.all([aService(), aService()]);
  db = openDatabase({ url: inject("servers").DATABASE_URL, poolSize: 8, timeoutMs: 60_000 });
});
afterAll(async () => {
  await db.close();
  await Promise.all([service.close(), replica.close()]);
});

/** The same operator in another browser, signed in. */
async function elsewhere({ email }: Person, url = service.url): Promise<Person> {
  const person = aPerson(url, email);
  expect((await person.signIn()).status).toBe(200);
  return person;
}

/** The same browser at another replica. */
function at({ url }: RunningService, { email, cookies }: Person): Person {
  const person = aPerson(url, email);
  for (const [name, value] of cookies) person.cookies.set(name, value);
  return person;
}

const list = async (person: Person) => (await person.query<SessionSummary[]>("session.list")).data;
const idOf = async (person: Person) => (await list(person)).find(({ isCurrent }) => isCurrent)!.sessionId;
const statusOf = async (person: Person) => (await person.query("session.me")).status;
const actionsOf = async (person: Person) =>
  (
    await person.query<{ lines: { action: string; details: object }[] }>("session.activity", {})
  ).data.lines.map(({ action, details }) => [action, details]);

/** Opens the stream of the newest uploads. @returns a function that waits for the next event */
function newestUploads(person: Person, projectRef: string): () => Promise<StreamEvent> {
  const events = person.subscribe("overview.uploads", { projectRef }, AbortSignal.timeout(60_000));
  const next = async (): Promise<StreamEvent> => {
    const { value, done } = await events.next();
    if (done) throw new Error("the stream ended");
    return ["connected", "ping"].includes((value as StreamEvent).event) ? next() : (value as StreamEvent);
  };
  return next;
}

test("an operator sees their own sessions, with the current one marked, and no token", async () => {
  const person = await anOperator(service.url);
  const other = aPerson(service.url, person.email);
  const headers = { "User-Agent": `curl/8 ${"x".repeat(600)}`, "X-Forwarded-For": "[2001:db8::1:2]:51234" };
  await other.auth("sign-in/email", { email: person.email, password: PASSWORD }, headers);
  await anOperator(service.url);

  const answer = await person.query<SessionSummary[]>("session.list");
  expect(answer.data).toEqual([
    {
      sessionId: expect.stringMatching(/^[\w-]{20,}$/) as string,
      createdAt: expect.stringMatching(/Z$/) as string,
      lastUsedAt: expect.stringMatching(/Z$/) as string,
      ipAddress: "2001:db8::1:2",
      userAgent: headers["User-Agent"].slice(0, 500),
      isCurrent: false,
    },
    expect.objectContaining({ userAgent: "a browser", isCurrent: true }),
  ]);
  for (const { cookies } of [person, other]) {
    const [token = ""] = decodeURIComponent([...cookies.values()][0]!).split(".");
    expect(token).toMatch(/^\w{32}$/);
    expect(answer.text).not.toContain(token);
    // The id is not a part of the token either.
    for (const { sessionId } of answer.data) expect(token).not.toContain(sessionId);
  }
});

describe("an ended session", () => {
  test("is refused at its next request, on every replica", async () => {
    const person = await anOperator(service.url);
    const other = await elsewhere(person, replica.url);
    const places = [other, at(service, other)];
    // Both replicas have just answered this session, so a cache would know it.
    for (const place of places) expect(await statusOf(place)).toBe(200);
    expect((await person.mutate("session.end", { sessionId: await idOf(other) })).status).toBe(200);
    for (const place of places) {
      expect(await place.query("session.me")).toMatchObject({ status: 401, code: "signed_out" });
      expect(await place.mutate("projects.create", { name: "x" })).toMatchObject({ status: 401 });
    }
    expect(await statusOf(person)).toBe(200);
    expect(await list(person)).toHaveLength(1);
    expect((await actionsOf(person))[0]).toEqual([
      "operator.session_ended",
      { ipAddress: expect.stringMatching(/^10\./) as string, userAgent: "a browser" },
    ]);
  });

  test("gets no further event of a stream that is open", async () => {
    const person = await anOperator(service.url);
    const { projectRef, apiKey } = await anOwnedProject(person);
    const other = await elsewhere(person, replica.url);
    const next = newestUploads(other, projectRef);
    expect((await next()).data).toEqual([]);
    await person.mutate("session.end", { sessionId: await idOf(other) });
    await anUpload(service.url, apiKey, { tenant_id: "t", filename: "secret.txt" });
    const event = await next();
    expect(event.event).toBe("serialized-error");
    expect(event.data).toMatchObject({ data: { httpStatus: 401, stowage: { code: "signed_out" } } });
    expect(replica.log()).not.toContain("INTERNAL_SERVER_ERROR");
  });

  test("is refused and not an error if it ends while a request extends it", async () => {
    const person = await anOperator(service.url);
    const id = await idOf(person);
    await queryDatabase("update operator_sessions set expires_at = now() + interval '1 day' where id = $1", [
      id,
    ]);
    let request: Promise<number> | undefined;
    await whileUncommitted("delete from operator_sessions where id = $1", [id], (isWaiting) => {
      // The request still reads the session, and then waits for the lock of this transaction.
      request = statusOf(person);
      return isWaiting(request);
    });
    expect(await request).toBe(401);
  });
});

test("ending all other sessions keeps the current one, and every other operator's", async () => {
  const person = await anOperator(service.url);
  const stranger = await anOperator(service.url);
  const others = [await elsewhere(person), await elsewhere(person, replica.url)];
  expect((await person.mutate("session.endOthers", {})).data).toEqual({ count: 2 });
  for (const other of others) expect(await statusOf(other)).toBe(401);
  for (const kept of [person, stranger]) expect(await statusOf(kept)).toBe(200);
  expect((await actionsOf(person))[0]).toEqual(["operator.sessions_ended", { count: 2 }]);
  expect((await person.mutate("session.endOthers", {})).data).toEqual({ count: 0 });
  expect(await actionsOf(person)).toHaveLength(4); // three sign-ins and one entry: nothing ended, so there is no second one
});

test("an operator cannot end the session of another, and an unknown session is no error", async () => {
  const person = await anOperator(service.url);
  const stranger = await anOperator(service.url);
  for (const sessionId of [await idOf(stranger), "unknown"])
    expect((await person.mutate("session.end", { sessionId })).status).toBe(200);
  expect(await statusOf(stranger)).toBe(200);
  expect(await actionsOf(person)).toHaveLength(1);
  expect(await person.mutate("session.end", { sessionId: "nul\u0000" })).toMatchObject({ status: 400 });
});

test("a stream whose session cannot be read ends with 503", async () => {
  const hasty = await aService({ DATABASE_TIMEOUT_MS: "3000" });
  const person = await anOperator(hasty.url);
  const { projectRef, apiKey } = await anOwnedProject(person);
  const next = newestUploads(person, projectRef);
  expect((await next()).data).toEqual([]);
  await whileUncommitted("lock table operator_sessions", [], async () => {
    await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a.txt" });
    const event = await next();
    expect(event.event).toBe("serialized-error");
    expect(event.data).toMatchObject({ data: { httpStatus: 503, stowage: { code: "unavailable" } } });
  });
  expect(hasty.log()).not.toContain("INTERNAL_SERVER_ERROR");
  await hasty.close();
});

describe("all other sessions end", () => {
  const changes: [string, (person: Person) => Promise<unknown>][] = [
    [
      "with a change of the password",
      // The client does not decide this.
      (person) =>
        person.auth("change-password", {
          currentPassword: PASSWORD,
          newPassword: "another battery staple",
          revokeOtherSessions: false,
        }),
    ],
    ["when the second factor is turned on", setUpTwoFactor],
  ];
  test.each(changes)("%s, and the current one stays", async (_, change) => {
    const person = await anOperator(service.url);
    const other = await elsewhere(person, replica.url);
    const before = new Map(person.cookies);
    await change(person);
    expect(await statusOf(other)).toBe(401);
    expect(await statusOf(person)).toBe(200);
    expect(await list(person)).toHaveLength(1);
    // The current session has a new token, so a copy of the old cookie is worthless.
    for (const [name, value] of before) other.cookies.set(name, value);
    expect(await statusOf(other)).toBe(401);
  });

  test("when the second factor is turned off", async () => {
    const person = await anOperator(service.url);
    await setUpTwoFactor(person);
    const { data } = await person.auth("two-factor/generate-backup-codes", { password: PASSWORD });
    const other = aPerson(replica.url, person.email);
    await other.signIn();
    const [code] = (data as { backupCodes: string[] }).backupCodes;
    expect((await other.auth("two-factor/verify-backup-code", { code })).status).toBe(200);
    expect(await statusOf(other)).toBe(200);
    expect((await person.auth("two-factor/disable", { password: PASSWORD })).status).toBe(200);
    expect(await statusOf(other)).toBe(401);
    expect(await statusOf(person)).toBe(200);
  });

  test("and sign-ins that wait for a code, with a change of the password", async () => {
    const person = await anOperator(service.url);
    await setUpTwoFactor(person);
    const thief = aPerson(service.url, person.email);
    expect((await thief.signIn()).data).toMatchObject({ twoFactorRedirect: true });
    await person.auth("change-password", {
      currentPassword: PASSWORD,
      newPassword: "another battery staple",
    });
    expect(await thief.auth("two-factor/verify-totp", { code: "000000" })).toMatchObject({
      code: "signed_out",
    });
  });
});

describe("a sign-in that began before a change", () => {
  // As the change does it, in one transaction: the new value, and the end of all sessions.
  const changes: [string, string][] = [
    ["of the password", "update operator_accounts set password = 'new' where operator_id = $1"],
    ["of the second factor", "update operators set two_factor_enabled = true where id = $1"],
  ];
  test.each(changes)("%s gets no session after it", async (_, statement) => {
    const person = await anOperator(service.url);
    const operatorId = (await person.query<{ id: string }>("session.me")).data.id;
    const late = aPerson(replica.url, person.email);
    let signIn: Promise<DashboardAnswer> | undefined;
    await whileUncommitted(
      `with ended as (delete from operator_sessions where operator_id = $1) ${statement}`,
      [operatorId],
      (isWaiting) => {
        signIn = late.signIn();
        return isWaiting(signIn);
      },
    );
    expect(await signIn).toMatchObject({ status: 401, code: "wrong_credentials" });
    expect(await queryDatabase("select from operator_sessions where operator_id = $1", [operatorId])).toEqual(
      [],
    );
  });
});

describe("all sessions of an operator end", () => {
  const dashboard = dashboardAddress(DASHBOARD_URL, () => 0);
  const changes: [string, (person: Person) => Promise<unknown>][] = [
    [
      "with a password reset",
      async ({ email }) => {
        const { url } = await offerPasswordReset(
          { db, clock: () => new Date(), randomBytes, dashboard },
          email,
        );
        const token = new URL(url).hash.slice(1);
        await aPerson(service.url).mutate("passwordReset.finish", {
          token,
          password: "another battery staple",
        });
      },
    ],
    [
      "when the command line removes the second factor",
      ({ email }) => removeTwoFactor({ db, clock: () => new Date() }, email),
    ],
    [
      "by the command line",
      ({ email }) => endSessionsOfOperator({ db, clock: () => new Date() }, email.toUpperCase()),
    ],
  ];
  test.each(changes)("%s, on every replica", async (_, change) => {
    const person = await anOperator(service.url);
    const other = await elsewhere(person, replica.url);
    await change(person);
    for (const place of [person, other, at(replica, person)]) expect(await statusOf(place)).toBe(401);
  });
});

test("the last use of a session is stored to five minutes", async () => {
  const person = await anOperator(service.url);
  const usedMinutesAgo = async (minutes: number) => {
    await queryDatabase(
      `update operator_sessions set updated_at = now() - ($1 || ' minutes')::interval,
         expires_at = now() + interval '7 days' - ($1 || ' minutes')::interval where id = $2`,
      [String(minutes), await idOf(person)],
    );
    await person.query("session.me");
    const [session] = await list(person);
    return Math.round((Date.now() - new Date(session!.lastUsedAt).getTime()) / 60_000);
  };
  expect(await usedMinutesAgo(4)).toBe(4);
  expect(await usedMinutesAgo(6)).toBe(0);
});

test("an administrator ends all sessions of another operator, and keeps the own one", async () => {
  const admin = await anOperator(service.url, { isAdmin: true });
  const person = await anOperator(service.url);
  const other = await elsewhere(person, replica.url);
  const operatorId = (await person.query<{ id: string }>("session.me")).data.id;
  expect((await admin.mutate("operators.endSessions", { operatorId })).data).toEqual({ count: 2 });
  for (const place of [person, other, at(replica, person)]) expect(await statusOf(place)).toBe(401);
  expect((await actionsOf(admin))[0]).toEqual(["operator.sessions_ended", { count: 2, email: person.email }]);
  expect(await admin.mutate("operators.endSessions", { operatorId: "unknown" })).toMatchObject({
    status: 404,
    code: "not_found",
  });
  const own = (await admin.query<{ id: string }>("session.me")).data.id;
  expect((await admin.mutate("operators.endSessions", { operatorId: own })).data).toEqual({ count: 0 });
  expect(await statusOf(admin)).toBe(200);
});
