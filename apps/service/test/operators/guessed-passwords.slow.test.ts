import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { offerPasswordReset } from "#auth/password-reset.js";
import { openDatabase } from "#db/client.js";
import { anOperator, aPerson, DASHBOARD_URL, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { setUpTwoFactor, totp } from "../fixtures/totp.js";

/*
 * An attacker guesses the password of an account from many addresses, so the limit of one address never applies.
 */

let service: RunningService;
let replica: RunningService;
let aheadMs = 0;
beforeAll(async () => {
  // Time passes only when a test says so. On a busy machine, the guesses of a test take longer than a new try does to come back.
  const startedAt = Date.now();
  const clock = () => new Date(startedAt + aheadMs);
  [service, replica] = await Promise.all([aService({}, { clock }), aService({}, { clock })]);
});
afterAll(() => Promise.all([service.close(), replica.close()]));

/** Another browser at another address. */
const elsewhere = (email: string, at = service) => aPerson(at.url, email);

/** Guesses from a new address each time, at both replicas at the same time. @returns the statuses */
async function attack(email: string, tries: number): Promise<number[]> {
  const guesses = Array.from({ length: tries }, (_, index) =>
    elsewhere(email, index % 2 ? service : replica).signIn("a guess"),
  );
  return (await Promise.all(guesses)).map(({ status }) => status).toSorted();
}
const tenGuesses = [...Array<number>(10).fill(401), 429, 429, 429, 429];

/** Signs out and keeps the other cookies, as a browser does. */
async function signOut(person: Person): Promise<void> {
  expect((await person.auth("sign-out", {})).status).toBe(200);
}

test("ten guesses from any addresses stop further ones, and the owner still signs in with a known browser", async () => {
  const owner = await anOperator(service.url);
  await signOut(owner);
  expect(await attack(owner.email, 14)).toEqual(tenGuesses);
  const refused = await elsewhere(owner.email, replica).signIn();
  expect(refused).toMatchObject({ status: 429, code: "too_many_requests" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);

  expect((await owner.signIn()).status).toBe(200);
  await signOut(owner);
  const atReplica = aPerson(replica.url, owner.email);
  for (const [name, value] of owner.cookies) atReplica.cookies.set(name, value);
  expect((await atReplica.signIn()).status).toBe(200);

  aheadMs += 60_000;
  expect((await elsewhere(owner.email).signIn()).status).toBe(200);
});

test("a known browser is slowed down by its own wrong passwords only", async () => {
  const owner = await anOperator(service.url);
  const second = elsewhere(owner.email);
  await second.signIn();
  await Promise.all([signOut(owner), signOut(second)]);
  // Each from another address, with the cookies of the first browser.
  const answers = await Promise.all(
    Array.from({ length: 14 }, () => {
      const thief = elsewhere(owner.email);
      for (const [name, value] of owner.cookies) thief.cookies.set(name, value);
      return thief.signIn("a guess");
    }),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual(tenGuesses);
  expect((await owner.signIn()).status).toBe(429);
  expect((await second.signIn()).status).toBe(200);
  expect((await elsewhere(owner.email).signIn()).status).toBe(200);
});

test("answers the same for an address without an account: statuses, texts, headers and count", async () => {
  const { email } = await anOperator(service.url);
  const guessAt = async (address: string) => {
    const answers: unknown[] = [];
    for (let tries = 0; tries < 12; tries++) {
      const { status, text, headers } = await elsewhere(address).signIn("a guess");
      answers.push({ status, text, cookies: headers.getSetCookie(), isTimed: headers.has("retry-after") });
    }
    return answers;
  };
  const known = await guessAt(email);
  expect(await guessAt(`nobody-${email}`)).toEqual(known);
  expect(known.at(-1)).toMatchObject({ status: 429 });
});

test("a browser that only knows the password of an account with a second factor stays unknown", async () => {
  const owner = await anOperator(service.url);
  const secret = await setUpTwoFactor(owner);
  const device = (person: Person) => [...person.cookies.keys()].filter((name) => name.includes("device"));
  const other = elsewhere(owner.email);
  await other.signIn();
  expect(device(other)).toEqual([]);
  expect((await other.auth("two-factor/verify-totp", { code: totp(secret, 1) })).status).toBe(200);
  expect(device(other)).toEqual(device(owner));
});

test("wrong passwords in a session stop further ones there, and nowhere else", async () => {
  const owner = await anOperator(service.url);
  const second = elsewhere(owner.email);
  await second.signIn();
  const change = (person: Person, currentPassword: string, from: string) =>
    person.auth(
      "change-password",
      { currentPassword, newPassword: "another battery staple" },
      { "X-Forwarded-For": from },
    );
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries++)
    statuses.push((await change(owner, "a guess", `192.0.2.${100 + tries}`)).status);
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
  expect((await elsewhere(owner.email).signIn()).status).toBe(200);
  expect((await change(second, PASSWORD, "192.0.2.120")).status).toBe(200);
});

test("an owner without a known browser signs in with a reset link during an attack", async () => {
  const { email } = await anOperator(service.url);
  expect(await attack(email, 14)).toEqual(tenGuesses);
  const db = openDatabase({ url: inject("servers").DATABASE_URL, poolSize: 1, timeoutMs: 60_000 });
  const deps = { db, clock: () => new Date(), randomBytes, dashboard: { url: () => DASHBOARD_URL } };
  const { url } = await offerPasswordReset(deps, email).finally(() => db.close());
  const browser = elsewhere(email);
  const password = "another battery staple";
  const reset = await browser.mutate("passwordReset.finish", { token: new URL(url).hash.slice(1), password });
  expect(reset.status).toBe(200);
  expect((await browser.signIn(password)).status).toBe(200);
});

test("guesses from many addresses leave threads to the rest of the service, such as for its files and for DNS", async () => {
  let answered = 0;
  const guesses = Array.from({ length: 14 }, async (_, index) => {
    const { status } = await elsewhere(`unknown-${index}@example.com`).signIn("a guess");
    answered++;
    return status;
  });
  await Promise.race(guesses);
  // Like every use of libuv's threads, this waits for everything that was given to them before.
  await stat(".");
  expect(answered).toBeLessThan(7);
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
});
