import type { AnyProcedure } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { removeTwoFactor } from "#auth/operators.js";
import { signInCalls } from "#auth/sign-in.js";
import { openDatabase } from "#db/client.js";
import { exportedLists } from "#http/routes/exports.js";
import type { Meta } from "#trpc/procedures.js";
import { appRouter } from "#trpc/router.js";
import { anOperator, anOwnedProject, aPerson, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { setUpTwoFactor, totp } from "../fixtures/totp.js";

/*
 * REQUIRE_TWO_FACTOR=on. No procedure, export or sign-in call is named by hand where the service has a table of them, so a new one is
 * tested automatically.
 */
const byPath = appRouter._def.procedures as unknown as Record<string, AnyProcedure>;
const procedures = Object.entries(byPath).map(([path, procedure]) => ({
  path,
  type: procedure._def.type,
  role: (procedure._def.meta as Meta).role,
}));
const missing = { status: 403, code: "two_factor_missing" };

/** Without the requirement: operators get their accounts and projects here. */
let open: RunningService;
let service: RunningService;
/** The owner of a project, who has no second factor. */
let owner: Person;
let projectRef: string;
beforeAll(async () => {
  [open, service] = await Promise.all([aService(), aService({ REQUIRE_TWO_FACTOR: "on" })]);
  const earlier = await anOperator(open.url);
  ({ projectRef } = await anOwnedProject(earlier));
  owner = aPerson(service.url, earlier.email);
  expect((await owner.signIn()).status).toBe(200);
});
afterAll(() => Promise.all([open.close(), service.close()]));

describe("an operator without the required second factor", () => {
  const refused = procedures.filter(({ role }) => role !== "public" && role !== "setUp");

  test("may call only the procedures that the set-up needs", () => {
    expect(procedures.filter(({ role }) => role === "setUp").map(({ path }) => path)).toEqual(["session.me"]);
    expect(refused.length).toBeGreaterThan(25);
  });

  test.each(refused)("is refused by $path", async ({ path, type }) => {
    const call = { query: owner.query, mutation: owner.mutate, subscription: owner.firstEvent }[type];
    expect(await call(path, { projectRef })).toMatchObject(missing);
  });

  test.each(exportedLists)("is refused by the export of %s", async (list) => {
    const answer = await fetch(`${service.url}/dashboard/export/${list}.csv?projectRef=${projectRef}`, {
      headers: { Cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    expect([answer.status, answer.headers.get("x-error-code")]).toEqual([403, "two_factor_missing"]);
  });

  test("may use the sign-in calls only to sign out and to set up the second factor", async () => {
    const { email } = await anOperator(open.url);
    const person = aPerson(service.url, email);
    const expected: Record<(typeof signInCalls)[number], string | undefined> = {
      "/sign-in/email": undefined,
      // Nothing is set up yet.
      "/two-factor/verify-totp": "invalid_request",
      "/two-factor/verify-backup-code": "invalid_request",
      "/two-factor/generate-backup-codes": "two_factor_missing",
      "/change-password": "two_factor_missing",
      "/two-factor/disable": "two_factor_required",
      "/two-factor/enable": undefined,
      "/sign-in/oidc": "not_found",
      "/oidc/connect": "two_factor_missing",
      "/sign-out": undefined,
    };
    expect(Object.keys(expected).toSorted()).toEqual(signInCalls.toSorted());
    const passwords = {
      password: PASSWORD,
      currentPassword: PASSWORD,
      newPassword: "another battery staple",
    };
    for (const [call, code] of Object.entries(expected)) {
      const answer = await person.auth(call.slice(1), { email, code: "000000", ...passwords });
      expect([call, answer.code]).toEqual([call, code]);
    }
  });

  test("is told so, and cannot join another project", async () => {
    expect((await owner.query("session.me")).data).toMatchObject({
      email: owner.email,
      isTwoFactorRequired: true,
      mustSetUpTwoFactor: true,
    });
    const inviting = await anOperator(open.url);
    const project = await anOwnedProject(inviting);
    const invite = { projectRef: project.projectRef, email: owner.email, role: "viewer" };
    const { data } = await inviting.mutate<{ url: string }>("members.invite", invite);
    const token = new URL(data.url).hash.slice(1);
    expect((await owner.mutate("members.readInvitation", { token })).data).toMatchObject({
      signedInAs: owner.email,
    });
    expect(await owner.mutate("members.accept", { token })).toMatchObject(missing);
  });
});

test("after the set-up an operator may do everything, except turn the second factor off", async () => {
  const { email } = await anOperator(open.url);
  const person = aPerson(service.url, email);
  await person.signIn();
  const secret = await setUpTwoFactor(person);
  expect((await person.query("session.me")).data).toMatchObject({
    isTwoFactorRequired: true,
    mustSetUpTwoFactor: false,
  });
  expect((await person.query("projects.list", {})).status).toBe(200);
  expect(await person.auth("two-factor/disable", { password: PASSWORD })).toMatchObject({
    status: 403,
    code: "two_factor_required",
  });
  expect((await person.auth("two-factor/generate-backup-codes", { password: PASSWORD })).status).toBe(200);

  // The command line removes a lost second factor. The operator must then set up another one.
  const db = openDatabase({ url: inject("servers").DATABASE_URL, poolSize: 1, timeoutMs: 60_000 });
  await removeTwoFactor({ db, clock: () => new Date() }, email);
  await db.close();
  expect(await person.query("projects.list", {})).toMatchObject({ status: 401, code: "signed_out" });
  expect((await person.signIn()).status).toBe(200);
  expect(await person.query("projects.list", {})).toMatchObject(missing);
  expect(await setUpTwoFactor(person)).not.toBe(secret);
  expect((await person.query("projects.list", {})).status).toBe(200);
});

test("a code during the set-up opens nothing before it is the right one", async () => {
  const { email } = await anOperator(open.url);
  const person = aPerson(service.url, email);
  await person.signIn();
  const { data } = await person.auth("two-factor/enable", { password: PASSWORD });
  expect(await person.query("projects.list", {})).toMatchObject(missing);
  const secret = new URL((data as { totpURI: string }).totpURI).searchParams.get("secret")!;
  expect(await person.auth("two-factor/verify-totp", { code: "000000" })).toMatchObject({
    code: "wrong_code",
  });
  // A backup code proves nothing here, because it came with the secret of the app.
  const { backupCodes } = data as { backupCodes: string[] };
  await person.auth("two-factor/verify-backup-code", { code: backupCodes[0] });
  expect(await person.query("projects.list", {})).toMatchObject(missing);
  await person.auth("two-factor/verify-totp", { code: totp(secret) });
  expect((await person.query("projects.list", {})).status).toBe(200);
});

test("without the setting, an operator needs no second factor", async () => {
  const person = await anOperator(open.url);
  expect((await person.query("session.me")).data).toMatchObject({
    isTwoFactorRequired: false,
    mustSetUpTwoFactor: false,
  });
  await setUpTwoFactor(person);
  expect((await person.auth("two-factor/disable", { password: PASSWORD })).status).toBe(200);
});
