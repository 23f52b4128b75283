import { afterAll, beforeAll, expect, test } from "vitest";
import { anOperator, aPerson, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { queryDatabase } from "../fixtures/direct-access.js";
import { totp } from "../fixtures/totp.js";

/*
 * RFC 6238, section 5.2: "The verifier MUST NOT accept the second attempt of the OTP after the successful validation has been
 * issued for the first OTP".
 */

let service: RunningService;
let replica: RunningService;
beforeAll(async () => {
  [service, replica] = await Promise.all([aService(), aService()]);
});
afterAll(() => Promise.all([service.close(), replica.close()]));

const verify = (person: Person, code: string) => person.auth("two-factor/verify-totp", { code });
const wrongCode = { status: 401, code: "wrong_code" };

async function startSetup(person: Person): Promise<string> {
  const { data } = await person.auth("two-factor/enable", { password: PASSWORD });
  return new URL((data as { totpURI: string }).totpURI).searchParams.get("secret")!;
}

/** An operator with an authenticator app, set up before the current period. */
async function anOperatorWithApp(): Promise<{ person: Person; secret: string }> {
  const person = await anOperator(service.url);
  const secret = await startSetup(person);
  expect((await verify(person, totp(secret))).status).toBe(200);
  await queryDatabase(
    `update operator_two_factors set last_used_step = last_used_step - 2
     where operator_id = (select id from operators where email = $1)`,
    [person.email],
  );
  return { person, secret };
}

/** The same operator on another computer, with the password accepted. */
async function withPassword(person: Person, at = service): Promise<Person> {
  const elsewhere = aPerson(at.url, person.email);
  expect((await elsewhere.signIn()).data).toMatchObject({ twoFactorRedirect: true });
  return elsewhere;
}

test("a code that signed in is refused on every replica, and the next code is accepted", async () => {
  const { person, secret } = await anOperatorWithApp();
  const code = totp(secret);
  const first = await withPassword(person);
  expect((await verify(first, code)).status).toBe(200);
  for (const at of [service, replica]) {
    const thief = await withPassword(person, at);
    expect(await verify(thief, code)).toMatchObject(wrongCode);
    expect((await thief.query("session.me")).status).toBe(401);
  }
  expect((await verify(await withPassword(person, replica), totp(secret, 1))).status).toBe(200);
});

test("the code that set up the app does not sign in", async () => {
  const person = await anOperator(service.url);
  const secret = await startSetup(person);
  const code = totp(secret);
  expect((await verify(person, code)).status).toBe(200);
  expect(await verify(await withPassword(person), code)).toMatchObject(wrongCode);
});

test("a code that a signed-in operator entered does not sign in", async () => {
  const { person, secret } = await anOperatorWithApp();
  const code = totp(secret);
  expect((await verify(person, code)).status).toBe(200);
  expect(await verify(person, code)).toMatchObject(wrongCode);
  expect(await verify(await withPassword(person), code)).toMatchObject(wrongCode);
});

test("an earlier code is refused after a later one", async () => {
  const { person, secret } = await anOperatorWithApp();
  const earlier = totp(secret);
  expect((await verify(await withPassword(person), totp(secret, 1))).status).toBe(200);
  expect(await verify(await withPassword(person), earlier)).toMatchObject(wrongCode);
});

test("of several sign-ins with one code at the same time, on two replicas, exactly one succeeds", async () => {
  const { person, secret } = await anOperatorWithApp();
  const people = await Promise.all(
    [service, replica, service, replica].map((at) => withPassword(person, at)),
  );
  const code = totp(secret);
  const answers = await Promise.all(people.map((each) => verify(each, code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
});

test("used codes count as wrong ones, so ten of them lock the second factor", async () => {
  const { person, secret } = await anOperatorWithApp();
  const code = totp(secret);
  expect((await verify(person, code)).status).toBe(200);
  for (const tries of [5, 5]) {
    const thief = await withPassword(person);
    for (let index = 0; index < tries; index++) expect(await verify(thief, code)).toMatchObject(wrongCode);
  }
  expect(await verify(await withPassword(person), totp(secret, 1))).toMatchObject({ status: 429 });
});
