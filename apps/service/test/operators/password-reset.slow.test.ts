import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Database, openDatabase } from "#db/client.js";
import { dashboardAddress } from "#auth/dashboard-address.js";
import { offerPasswordReset } from "#auth/password-reset.js";
import { resetPassword } from "#auth/password-reset.js";
import { anOperator, aPerson, DASHBOARD_URL, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";

const NEW_PASSWORD = "another battery staple";

let service: RunningService;
let db: Database;
beforeAll(async () => {
  service = await aService();
  db = openDatabase({ url: inject("servers").DATABASE_URL, poolSize: 8, timeoutMs: 60_000 });
});
afterAll(async () => {
  await db.close();
  await service.close();
});

/** Runs the verb of the command line. */
async function offer({ email }: Person, clock = () => new Date()): Promise<string> {
  const dashboard = dashboardAddress(DASHBOARD_URL, () => 0);
  const { url } = await offerPasswordReset({ db, clock, randomBytes, dashboard }, email);
  expect(url).toMatch(/^http:\/\/dashboard\.test\/reset#[\w-]{43}$/);
  return new URL(url).hash.slice(1);
}

const refused = { status: 403, code: "reset_refused" };

test("a link sets a new password once, and ends all sessions of its operator", async () => {
  const person = await anOperator(service.url);
  const token = await offer(person);
  const elsewhere = aPerson(service.url, person.email);
  expect((await elsewhere.mutate("passwordReset.read", { token })).data).toEqual({ email: person.email });
  expect((await person.query("session.me")).status).toBe(200); // nothing changes before the link is used

  const finish = { token, password: NEW_PASSWORD };
  expect(await elsewhere.mutate("passwordReset.finish", { ...finish, password: "short" })).toMatchObject({
    status: 400,
  });
  expect((await elsewhere.mutate("passwordReset.finish", finish)).data).toEqual({ email: person.email });
  expect((await person.query("session.me")).status).toBe(401);
  expect((await elsewhere.signIn(PASSWORD)).status).toBe(401);
  expect((await elsewhere.signIn(NEW_PASSWORD)).status).toBe(200);
  expect(await elsewhere.mutate("passwordReset.finish", finish)).toMatchObject(refused);
  expect(await elsewhere.mutate("passwordReset.read", { token })).toMatchObject(refused);

  const { data } = await elsewhere.query<{ lines: { action: string; userAgent: string }[] }>(
    "session.activity",
    {},
  );
  expect(data.lines.map(({ action, userAgent }) => [action, userAgent])).toEqual([
    ["operator.signed_in", "a browser"],
    ["operator.sign_in_refused", "a browser"],
    ["operator.password_reset", "a browser"],
    ["operator.password_reset_offered", "the command line"],
    ["operator.signed_in", "a browser"],
  ]);
  expect(service.log()).not.toContain(token);
});

test("a later link replaces an earlier one, and both end after a day", async () => {
  const person = await anOperator(service.url);
  const first = await offer(person);
  const second = await offer(person);
  expect(await person.mutate("passwordReset.read", { token: first })).toMatchObject(refused);
  expect((await person.mutate("passwordReset.read", { token: second })).status).toBe(200);
  const old = await offer(person, () => new Date(Date.now() - 24 * 3600 * 1000 - 1000));
  expect(await person.mutate("passwordReset.finish", { token: old, password: NEW_PASSWORD })).toMatchObject(
    refused,
  );
  expect(await person.mutate("passwordReset.read", { token: "x".repeat(43) })).toMatchObject(refused);
});

test("a reset ends a sign-in that waits for a code after the old password", async () => {
  const person = await anOperator(service.url);
  await person.auth("two-factor/enable", { password: PASSWORD });
  await db.execute("update operators set two_factor_enabled = true where email = $1", [person.email]);
  const thief = aPerson(service.url, person.email);
  expect((await thief.signIn()).data).toMatchObject({ twoFactorRedirect: true });
  await person.mutate("passwordReset.finish", { token: await offer(person), password: NEW_PASSWORD });
  expect(await thief.auth("two-factor/verify-totp", { code: "000000" })).toMatchObject({
    code: "signed_out",
  });
  // The second factor is still required.
  expect((await person.signIn(NEW_PASSWORD)).data).toMatchObject({ twoFactorRedirect: true });
});

test("only one of several uses of a link at the same moment sets the password", async () => {
  const token = await offer(await anOperator(service.url));
  let waiting = 0;
  let goOn = () => {};
  const together = new Promise<void>((resolve) => (goOn = resolve));
  const hashPassword = async (password: string) => {
    if (++waiting === 4) goOn();
    await together;
    return password;
  };
  const deps = { db, clock: () => new Date(), randomBytes, signIn: { hashPassword } };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, (_, i) =>
      resetPassword(
        deps,
        { ipAddress: "192.0.2.1", userAgent: "" },
        { token, password: `password number ${i}` },
      ),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});
