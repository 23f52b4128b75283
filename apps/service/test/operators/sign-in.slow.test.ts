import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOperator, aPerson, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { queryDatabase } from "../fixtures/direct-access.js";
import { totp } from "../fixtures/totp.js";

let service: RunningService;
beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.close());

/** The same operator on another computer. */
const again = (person: Person) => aPerson(service.url, person.email);

describe("a sign-in", () => {
  test("allows the dashboard's calls, and a sign-out ends that", async () => {
    const person = await anOperator(service.url);
    expect((await person.query<{ email: string }>("session.me")).data.email).toBe(person.email);
    const session = new Map(person.cookies);
    expect((await person.auth("sign-out", {})).status).toBe(200);
    expect(await person.query("session.me")).toMatchObject({ status: 401, code: "signed_out" });
    // The session has ended, not only the cookie.
    for (const [name, value] of session) person.cookies.set(name, value);
    expect((await person.query("session.me")).status).toBe(401);
  });

  test("accepts the address in any letter case, and the password unchanged", async () => {
    const person = await anOperator(service.url);
    const shouting = aPerson(service.url, person.email.toUpperCase());
    expect((await shouting.signIn()).status).toBe(200);
    expect((await again(person).signIn(PASSWORD.toUpperCase())).status).toBe(401);
  });

  test("gives the same answer to a wrong password and to an unknown address", async () => {
    const person = await anOperator(service.url);
    const wrong = await again(person).signIn("not the password");
    const unknown = await aPerson(service.url).signIn();
    expect(wrong).toMatchObject({ status: 401, code: "wrong_credentials" });
    expect(unknown.text).toBe(wrong.text);
  });

  test("sets a cookie that scripts and other sites cannot use, and sends its token nowhere else", async () => {
    const person = again(await anOperator(service.url));
    const answer = await person.signIn();
    const [cookie = ""] = answer.headers.getSetCookie();
    // The second one only marks this browser as a known device of the account.
    expect(answer.headers.getSetCookie().slice(1)).toEqual([
      expect.stringMatching(/^stowage\.device\..*; HttpOnly/),
    ]);
    expect(cookie).toMatch(/^stowage\.session_token=/);
    expect(cookie).toContain("; HttpOnly");
    expect(cookie).toContain("; SameSite=Lax");
    expect(cookie).toContain("; Path=/");
    expect(cookie).not.toContain("Secure");
    const token = decodeURIComponent(/=([^.;]+)/.exec(cookie)![1]!);
    expect(answer.text).not.toContain(token);
    expect(service.log()).not.toContain(token);
  });

  test("marks its cookie Secure if the dashboard uses https", async () => {
    const secure = await aService({ DASHBOARD_URL: "https://storage.example" });
    const { email } = await anOperator(service.url);
    const answer = await aPerson(secure.url, email).auth(
      "sign-in/email",
      { email, password: PASSWORD },
      { Origin: "https://storage.example" },
    );
    await secure.close();
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-stowage\.session_token=.*; Secure/);
  });

  test("is refused after ten attempts per minute from one address, counted over all replicas", async () => {
    const other = await aService();
    const owner = await anOperator(service.url);
    // Both replicas see the same address, and each attempt is for another account.
    const headers = { "X-Forwarded-For": "192.0.2.77" };
    const answers: number[] = [];
    let last;
    for (let tries = 0; tries < 12; tries++) {
      const guesser = aPerson(tries % 2 ? service.url : other.url);
      last = await guesser.auth("sign-in/email", { email: guesser.email, password: "guess" }, headers);
      answers.push(last.status);
    }
    await other.close();
    expect(answers.filter((status) => status === 401)).toHaveLength(10);
    expect(last).toMatchObject({ status: 429, code: "too_many_requests" });
    expect(Number(last!.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await again(owner).signIn()).status).toBe(200); // from another address
  });

  test("ignores an address that the client claims", async () => {
    const open = await aService({ TRUSTED_PROXIES: "" });
    const { email } = await anOperator(service.url);
    await queryDatabase("delete from operator_rate_limits where key like '127.0.0.1|%'", []);
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries++) {
      const headers = {
        "X-Forwarded-For": `192.0.2.${tries}`,
        "X-Stowage-Client-Address": `192.0.2.${tries}`,
      };
      statuses.push(
        (await aPerson(open.url).auth("sign-in/email", { email, password: "guess" }, headers)).status,
      );
    }
    await open.close();
    expect(statuses).toContain(429);
  });

  test("is in the audit log with time and address", async () => {
    const person = await anOperator(service.url);
    const { data } = await person.query<{ lines: Record<string, unknown>[] }>("session.activity", {});
    expect(data.lines).toHaveLength(1);
    expect(data.lines[0]).toMatchObject({
      action: "operator.signed_in",
      operatorEmail: person.email,
      userAgent: "a browser",
      ipAddress: expect.stringMatching(/^10\./) as string,
    });
  });
});

describe("the audit log", () => {
  const lines = (email: string) =>
    queryDatabase<{ action: string; operator_id: string | null; details: object; user_agent: string }>(
      "select action, operator_id, details, user_agent from audit_log where operator_email = $1 order by id",
      [email],
    );
  const actions = async (email: string) => (await lines(email)).map((line) => line.action);

  test("has a line for a sign-out, and none for a sign-out without a session", async () => {
    const person = await anOperator(service.url);
    const cookies = new Map(person.cookies);
    await person.auth("sign-out", {});
    for (const [name, value] of cookies) person.cookies.set(name, value);
    await person.auth("sign-out", {});
    expect(await actions(person.email)).toEqual(["operator.signed_in", "operator.signed_out"]);
  });

  test("has a line for a refused sign-in with the given address, and never the password", async () => {
    const person = await anOperator(service.url);
    await again(person).signIn("a wrong password");
    const [, refused] = await lines(person.email);
    expect(refused).toMatchObject({
      action: "operator.sign_in_refused",
      details: { step: "password" },
      user_agent: "a browser",
    });
    expect(refused!.operator_id).toBe((await person.query<{ id: string }>("session.me")).data.id);
    expect(JSON.stringify(await lines(person.email))).not.toContain("a wrong password");

    const unknownPerson = aPerson(service.url);
    await unknownPerson.signIn();
    expect(await lines(unknownPerson.email)).toMatchObject([
      { action: "operator.sign_in_refused", operator_id: null },
    ]);
  });

  test("cuts an overlong address, and stores no value that is not an address", async () => {
    const long = `${"x".repeat(60)}@${"y".repeat(60)}.${"z".repeat(60)}.${"w".repeat(60)}.${"v".repeat(60)}.example`;
    for (const email of [long, "no address", 5, null, { a: 1 }, "nul\u0000@example.com"])
      expect(
        (await aPerson(service.url).auth("sign-in/email", { email, password: "x" })).status,
      ).toBeLessThan(500);
    const kept = await queryDatabase<{ longest: number }>(
      "select max(length(operator_email)) as longest from audit_log where action = 'operator.sign_in_refused'",
      [],
    );
    expect(kept[0]!.longest).toBeLessThanOrEqual(254);
  });

  test("has no line for attempts above the rate limit", async () => {
    const { email } = await anOperator(service.url);
    const guesser = aPerson(service.url, email);
    for (let tries = 0; tries < 14; tries++) await guesser.signIn("guess");
    expect((await actions(email)).filter((action) => action === "operator.sign_in_refused")).toHaveLength(10);
  });
});

describe("a page of another site", () => {
  test.each([
    "https://evil.example",
    "null",
    "http://dashboard.test.evil.example",
    "http://dashboard.test:8080",
  ])("at %s cannot sign in, sign out or change anything", async (origin) => {
    const person = await anOperator(service.url);
    const headers = { Origin: origin };
    const refusal = { status: 403, code: "cross_site" };
    expect(
      await person.auth("sign-in/email", { email: person.email, password: PASSWORD }, headers),
    ).toMatchObject(refusal);
    expect(await person.auth("sign-out", {}, headers)).toMatchObject(refusal);
    expect((await person.mutate("projects.create", { name: "x" }, headers)).status).toBe(403);
    expect((await person.query("session.me")).status).toBe(200);
  });

  test("cannot avoid this by omitting its origin, and no answer allows another origin to read it", async () => {
    const person = await anOperator(service.url);
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const path of ["/auth/sign-out", "/trpc/projects.create"]) {
      const answer = await fetch(service.url + path, {
        method: "POST",
        headers: { Cookie: cookie, "Content-Type": "application/json" },
        body: '{"name":"x"}',
      });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.headers.has("access-control-allow-origin")).toBe(false);
    }
  });
});

test("without DASHBOARD_URL, accepts the dashboard at localhost and the service's own port", async () => {
  const local = await aService({ DASHBOARD_URL: "" });
  const { port } = new URL(local.url);
  const { email } = await anOperator(service.url);
  const at = async (origin: string) => {
    const person = aPerson(local.url, email);
    const answer = await person.auth("sign-in/email", { email, password: PASSWORD }, { Origin: origin });
    const made = await person.mutate("projects.create", { name: "x" }, { Origin: origin });
    return [answer.status, made.status];
  };
  for (const name of ["localhost", "127.0.0.1", "[::1]"])
    expect(await at(`http://${name}:${port}`)).toEqual([200, 200]);
  for (const origin of [
    "http://localhost",
    `https://localhost:${port}`,
    "http://localhost:0",
    `http://evil.example:${port}`,
  ])
    expect(await at(origin)).toEqual([403, 403]);
  await local.close();
});

describe("the sign-in library", () => {
  test.each([
    "sign-up/email",
    "update-user",
    "delete-user",
    "request-password-reset",
    "get-session",
    "list-sessions",
    "sign-in/social",
  ])("does not expose %s", async (call) => {
    const person = await anOperator(service.url);
    const answer = await person.auth(call, {
      email: "a@example.com",
      password: PASSWORD,
      name: "A",
      isAdmin: true,
    });
    expect(answer).toMatchObject({ status: 404, detail: "Not found" });
  });

  test("stores passwords hashed with scrypt", async () => {
    const person = await anOperator(service.url);
    const [row] = await queryDatabase<{ password: string }>(
      "select password from operator_accounts a join operators o on o.id = a.operator_id where o.email = $1",
      [person.email],
    );
    expect(row!.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  });
});

test("a changed password replaces the old one, and the audit log contains neither", async () => {
  const person = await anOperator(service.url);
  const newPassword = "another battery staple";
  const refused = await person.auth("change-password", { currentPassword: "wrong", newPassword });
  expect(refused).toMatchObject({ status: 400, code: "wrong_password" });
  expect(
    await person.auth("change-password", { currentPassword: PASSWORD, newPassword: "short" }),
  ).toMatchObject({
    status: 400,
  });
  const changed = await person.auth("change-password", {
    currentPassword: PASSWORD,
    newPassword,
    revokeOtherSessions: true,
  });
  expect(changed.status).toBe(200);
  expect((await again(person).signIn()).status).toBe(401);
  expect((await again(person).signIn(newPassword)).status).toBe(200);
  const activity = await person.query<{ lines: { action: string }[] }>("session.activity", {});
  expect(activity.data.lines.map((line) => line.action)).toContain("operator.password_changed");
  expect(activity.text).not.toContain(newPassword);
});

test("a second factor is required after its set-up, and the password alone allows nothing", async () => {
  const person = await anOperator(service.url);
  expect(await person.auth("two-factor/enable", { password: "wrong" })).toMatchObject({
    status: 400,
    code: "wrong_password",
  });
  const enabled = await person.auth("two-factor/enable", { password: PASSWORD });
  const { totpURI, backupCodes } = enabled.data as { totpURI: string; backupCodes: string[] };
  const code = (periodsAhead = 0) => totp(new URL(totpURI).searchParams.get("secret")!, periodsAhead);
  // A mistyped code during set-up is not a refused sign-in.
  expect(await person.auth("two-factor/verify-totp", { code: "000000" })).toMatchObject({
    code: "wrong_code",
  });
  expect((await person.auth("two-factor/verify-totp", { code: code() })).status).toBe(200);

  const elsewhere = again(person);
  const half = await elsewhere.signIn();
  expect(half).toMatchObject({ status: 200, data: { twoFactorRedirect: true } });
  expect((await elsewhere.query("session.me")).status).toBe(401);
  expect(await elsewhere.auth("two-factor/verify-totp", { code: "000000" })).toMatchObject({
    status: 401,
    code: "wrong_code",
  });
  // Each code works once, so this is the next one.
  expect((await elsewhere.auth("two-factor/verify-totp", { code: code(1) })).status).toBe(200);
  expect((await elsewhere.query("session.me")).status).toBe(200);

  const third = again(person);
  await third.signIn();
  expect((await third.auth("two-factor/verify-backup-code", { code: backupCodes[0] })).status).toBe(200);
  expect((await third.query("session.me")).status).toBe(200);
  const fourth = again(person);
  await fourth.signIn();
  expect((await fourth.auth("two-factor/verify-backup-code", { code: backupCodes[0] })).status).toBe(401);
  expect(await aPerson(service.url).auth("two-factor/verify-totp", { code: code() })).toMatchObject({
    code: "signed_out", // no password was given before
  });

  const { data } = await third.query<{ lines: { action: string }[] }>("session.activity", {});
  expect(data.lines.map((line) => line.action)).toEqual(
    expect.arrayContaining([
      "operator.two_factor_enabled",
      "operator.password_accepted",
      "operator.signed_in",
    ]),
  );
  const refused = data.lines.filter((line) => line.action === "operator.sign_in_refused");
  expect(refused).toEqual([
    expect.objectContaining({ details: { step: "code" } }),
    expect.objectContaining({ details: { step: "code" } }),
  ]);
});

test("ten wrong codes in a row lock the second factor for 15 minutes, and the refusal says so", async () => {
  const person = await anOperator(service.url);
  const { data } = await person.auth("two-factor/enable", { password: PASSWORD });
  const secret = new URL((data as { totpURI: string }).totpURI).searchParams.get("secret")!;
  await person.auth("two-factor/verify-totp", { code: totp(secret) });
  // Each attempt has its own address, and five share a password. Neither avoids the lock.
  for (const wrongCodes of [5, 5]) {
    const guesser = again(person);
    await guesser.signIn();
    for (let tries = 0; tries < wrongCodes; tries++)
      expect((await guesser.auth("two-factor/verify-totp", { code: "000000" })).code).toBe("wrong_code");
  }
  const late = again(person);
  await late.signIn();
  const refused = await late.auth("two-factor/verify-totp", { code: totp(secret, 1) });
  expect(refused).toMatchObject({ status: 429, code: "too_many_requests" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(14 * 60);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(15 * 60);
});

test("a session ends a week after its last day of use", async () => {
  const person = await anOperator(service.url);
  expect((await person.query("session.me")).headers.getSetCookie()).toEqual([]);
  const mine = "operator_id = (select id from operators where email = $1)";
  await queryDatabase(`update operator_sessions set expires_at = now() + interval '5 days' where ${mine}`, [
    person.email,
  ]);
  const [cookie = ""] = (await person.query("session.me")).headers.getSetCookie();
  expect(cookie).toMatch(/^stowage\.session_token=.*Max-Age=604800.*HttpOnly/);
  const [{ days }] = (await queryDatabase<{ days: number }>(
    `select extract(day from expires_at - now())::int as days from operator_sessions where ${mine}`,
    [person.email],
  )) as [{ days: number }];
  expect(days).toBe(6);
  await queryDatabase(`update operator_sessions set expires_at = now() - interval '1 second' where ${mine}`, [
    person.email,
  ]);
  expect((await person.query("session.me")).status).toBe(401);
});

test("a session of one replica works on all", async () => {
  const other = await aService();
  const person = await anOperator(service.url);
  const there = aPerson(other.url, person.email);
  for (const [name, value] of person.cookies) there.cookies.set(name, value);
  const answer = await there.query("session.me");
  await other.close();
  expect(answer.status).toBe(200);
});

test("a made-up cookie allows nothing", async () => {
  const person = await anOperator(service.url);
  const [[name, value]] = [...person.cookies] as [[string, string]];
  const forged = aPerson(service.url);
  for (const cookie of [value.slice(0, -4) + "AAA%3D", decodeURIComponent(value).split(".")[0]!, "", "x.y"]) {
    forged.cookies.set(name, cookie);
    expect((await forged.query("session.me")).status).toBe(401);
  }
});

test("without a database, every call answers 503 with a time to retry", async () => {
  const cut = await aService({
    DATABASE_URL: "postgres://nobody:x@127.0.0.1:1/nothing",
    DATABASE_TIMEOUT_MS: "500",
  });
  const person = aPerson(cut.url);
  const signIn = await person.signIn();
  expect(signIn).toMatchObject({ status: 503, code: "unavailable" });
  expect(signIn.headers.get("retry-after")).not.toBeNull();
  expect(await person.query("setup.status")).toMatchObject({ status: 503, code: "unavailable" });
  person.cookies.set("stowage.session_token", "a.b");
  expect(await person.query("session.me")).toMatchObject({ status: 503, code: "unavailable" });
  await cut.close();
});
