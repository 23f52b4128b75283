import { randomBytes } from "node:crypto";
import { type ProviderAccount, startProvider, type TestProvider } from "@stowage/oidc-provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  anOperator,
  anOwnedProject,
  aPerson,
  DASHBOARD_URL,
  PASSWORD,
  type Person,
} from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { queryDatabase } from "../fixtures/direct-access.js";
import { comeBack, signInAt, startAt } from "../fixtures/oidc-browser.js";
import { setUpTwoFactor } from "../fixtures/totp.js";

/*
 * Sign-in with OpenID Connect, at a real provider (oidc-provider). Its variant that alters answers is the hostile one.
 */
let provider: TestProvider;
let settings: Record<string, string>;
let service: RunningService;
beforeAll(async () => {
  provider = await startProvider({ redirectUri: `${DASHBOARD_URL}/auth/callback/oidc` });
  settings = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  };
  service = await aService(settings);
});
afterAll(() => Promise.all([service.close(), provider.close()]));

/** A person of the provider. */
function anAccount(claims: ProviderAccount = {}): { login: string; email: string } {
  const login = `u${randomBytes(6).toString("hex")}`;
  const email = `${login}@example.com`;
  provider.accounts.set(login, { email, email_verified: true, name: "Ada Lovelace", ...claims });
  return { login, email };
}

/** An operator with a password whose account is connected. */
async function aConnectedOperator(): Promise<{ person: Person; login: string }> {
  const person = await anOperator(service.url);
  const { login } = anAccount();
  const back = await signInAt(service.url, person, login, { connect: PASSWORD });
  expect(back.path).toBe("/account");
  return { person, login };
}

async function anInvitation(email: string): Promise<{ token: string; projectRef: string }> {
  const owner = await anOperator(service.url);
  const { projectRef } = await anOwnedProject(owner);
  const { data } = await owner.mutate<{ url: string }>("members.invite", {
    projectRef,
    email,
    role: "member",
  });
  return { token: new URL(data.url).hash.slice(1), projectRef };
}

const linesOf = (email: string) =>
  queryDatabase<{ action: string; details: object; operator_id: string | null }>(
    "select action, details, operator_id from audit_log where operator_email = $1 order by id",
    [email],
  );
const sessionsOf = (email: string) =>
  queryDatabase<{ signed_in_by: string; ends_at: Date | null }>(
    "select signed_in_by, ends_at from operator_sessions join operators o on o.id = operator_id where email = $1",
    [email],
  );

describe("a connected operator", () => {
  test("signs in by the provider, with PKCE, state and nonce, and comes to the page that was asked for", async () => {
    const { person, login } = await aConnectedOperator();
    const visitor = aPerson(service.url, person.email);
    const start = await startAt(visitor, { to: "/account?cursor=1" });
    const url = new URL((start.data as { url: string }).url);
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "stowage",
      redirect_uri: `${DASHBOARD_URL}/auth/callback/oidc`,
      code_challenge_method: "S256",
      scope: "openid email profile",
      state: expect.stringMatching(/.{32}/) as string,
      nonce: expect.stringMatching(/.{32}/) as string,
      code_challenge: expect.stringMatching(/.{43}/) as string,
    });
    const back = await signInAt(service.url, visitor, login, { to: "/account?cursor=1" });
    expect(back).toMatchObject({ status: 303, origin: DASHBOARD_URL, path: "/account?cursor=1" });
    expect(back.headers.get("cache-control")).toBe("no-store");
    expect((await visitor.query("session.me")).data).toMatchObject({ email: person.email });
    expect((await linesOf(person.email)).slice(-1)).toMatchObject([
      { action: "operator.signed_in", details: { by: "oidc" } },
    ]);
  });

  test("has connected the account with the password, and no token of the provider is stored or logged", async () => {
    const { person } = await aConnectedOperator();
    const actions = (await linesOf(person.email)).map(({ action }) => action);
    expect(actions).toEqual(["operator.signed_in", "operator.oidc_connected", "operator.signed_in"]);
    // The session of the password was replaced.
    expect(await sessionsOf(person.email)).toMatchObject([{ signed_in_by: "oidc" }]);
    const [account] = await queryDatabase<Record<string, unknown>>(
      "select a.* from operator_accounts a join operators o on o.id = operator_id where email = $1 and provider_id = 'oidc'",
      [person.email],
    );
    expect(account).toMatchObject({
      access_token: null,
      refresh_token: null,
      id_token: null,
      password: null,
    });
    expect(service.log()).not.toContain("code=");
    expect(service.log()).not.toContain(provider.clientSecret);
  });

  test("signs in after the provider's address has changed, and not after the connection has ended", async () => {
    const { person, login } = await aConnectedOperator();
    provider.accounts.set(login, { email: "new-address@example.com", email_verified: false });
    const visitor = aPerson(service.url, person.email);
    expect((await signInAt(service.url, visitor, login)).path).toBe("/");
    expect((await visitor.mutate("session.disconnectOidc", {})).status).toBe(200);
    expect(await sessionsOf(person.email)).toHaveLength(1);
    expect((await signInAt(service.url, aPerson(service.url), login)).refused).toBe("email_unverified");
  });

  test("stays signed in for OIDC_SESSION_HOURS, also when the password changes", async () => {
    let ahead = 0;
    const later = await aService(settings, { clock: () => new Date(Date.now() + ahead) });
    const { person, login } = await aConnectedOperator();
    const visitor = aPerson(later.url, person.email);
    await signInAt(later.url, visitor, login);
    ahead = 11.9 * 3600_000;
    const change = { currentPassword: PASSWORD, newPassword: "another battery staple" };
    expect((await visitor.auth("change-password", change)).status).toBe(200);
    expect((await visitor.query("session.me")).status).toBe(200);
    ahead = 12.1 * 3600_000;
    expect((await visitor.query("session.me")).code).toBe("signed_out");
    await later.close();
  });

  test("cannot connect with a wrong password, or an account that belongs to another operator", async () => {
    const { login } = await aConnectedOperator();
    const other = await anOperator(service.url);
    expect(await other.auth("oidc/connect", { password: "a wrong one" })).toMatchObject({
      code: "wrong_password",
    });
    const back = await signInAt(service.url, other, login, { connect: PASSWORD });
    expect(back).toMatchObject({ refused: "already_connected", path: "/account?refused=already_connected" });
    expect((await aPerson(service.url).auth("oidc/connect", { password: PASSWORD })).code).toBe("signed_out");
  });
});

describe("a person without a connection", () => {
  test("is refused although the address has an account, which would otherwise be taken over", async () => {
    const person = await anOperator(service.url);
    const { login } = anAccount({ email: person.email.toUpperCase() });
    const visitor = aPerson(service.url);
    expect((await signInAt(service.url, visitor, login)).refused).toBe("not_connected");
    expect((await visitor.query("session.me")).code).toBe("signed_out");
    expect((await linesOf(person.email)).slice(-1)).toMatchObject([
      {
        action: "operator.sign_in_refused",
        details: { step: "oidc", reason: "not_connected" },
        operator_id: expect.any(String) as string,
      },
    ]);
  });

  test.each([
    ["not_invited", {}],
    ["email_unverified", { email_verified: false }],
    ["email_missing", { email: undefined as unknown as string }],
  ] as const)("is refused: %s", async (refused, claims) => {
    const { login } = anAccount(claims);
    expect((await signInAt(service.url, aPerson(service.url), login)).refused).toBe(refused);
  });

  test("accepts an invitation, with a new account that has no password", async () => {
    const { login, email } = anAccount();
    const { token, projectRef } = await anInvitation(email);
    const visitor = aPerson(service.url, email);
    const link = { kind: "invitation", token };
    expect((await signInAt(service.url, visitor, login, { link })).path).toBe(`/projects/${projectRef}`);
    expect((await visitor.query("members.list", { projectRef })).status).toBe(200);
    expect((await visitor.query("session.me")).data).toMatchObject({ name: "Ada Lovelace" });
    expect((await visitor.query("session.signInMethods")).data).toMatchObject({
      isConnected: true,
      hasPassword: false,
    });
    expect((await visitor.mutate("session.disconnectOidc", {})).code).toBe("only_way_to_sign_in");
    expect((await aPerson(service.url, email).signIn()).code).toBe("wrong_credentials");
    const again = await signInAt(service.url, aPerson(service.url), login, { link });
    expect(again.refused).toBe("link_invalid");
    // Only the hash of the link is stored while the person is at the provider.
    const stored = await queryDatabase<{ value: string }>("select value from operator_verifications", []);
    expect(stored.some(({ value }) => value.includes(token))).toBe(false);
  });

  test("cannot use the invitation of another address, or of an address that the provider has not verified", async () => {
    const { email } = anAccount();
    const { token } = await anInvitation(email);
    const link = { kind: "invitation", token };
    const other = anAccount();
    expect((await signInAt(service.url, aPerson(service.url), other.login, { link })).refused).toBe(
      "other_address",
    );
    const unverified = anAccount({ email, email_verified: false });
    expect((await signInAt(service.url, aPerson(service.url), unverified.login, { link })).refused).toBe(
      "email_unverified",
    );
    // The link still works for its owner.
    expect((await aPerson(service.url).mutate("members.readInvitation", { token })).status).toBe(200);
  });

  test("is connected by a verified address where OIDC_CONNECT_BY_EMAIL is on, unless a second factor would be lost", async () => {
    const open = await aService({ ...settings, OIDC_CONNECT_BY_EMAIL: "on" });
    const person = await anOperator(service.url);
    const { login } = anAccount({ email: person.email });
    expect((await signInAt(open.url, aPerson(open.url), login)).path).toBe("/");
    const guarded = await anOperator(service.url);
    await setUpTwoFactor(guarded);
    const taker = anAccount({ email: guarded.email });
    expect((await signInAt(open.url, aPerson(open.url), taker.login)).refused).toBe("not_connected");
    await open.close();
  });
});

describe("a hostile provider", () => {
  type Claims = Record<string, unknown>;
  const claimsOf = (token: unknown) =>
    JSON.parse(Buffer.from(String(token).split(".")[1]!, "base64url").toString()) as Claims;
  const changed = (change: Claims) => (body: Claims) => ({
    ...body,
    id_token: provider.sign({ ...claimsOf(body["id_token"]), ...change }),
  });
  const unsigned = (body: Claims) => {
    const [, payload] = String(body["id_token"]).split(".");
    return { ...body, id_token: `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.` };
  };
  const wrongSignature = (body: Claims) => {
    const [header, , signature] = String(body["id_token"]).split(".");
    const payload = Buffer.from(
      JSON.stringify({ ...claimsOf(body["id_token"]), email: "victim@example.com" }),
    );
    return { ...body, id_token: `${header}.${payload.toString("base64url")}.${signature}` };
  };
  let connected: { person: Person; login: string };
  beforeAll(async () => {
    connected = await aConnectedOperator();
  });

  const past = Math.floor(Date.now() / 1000) - 600;
  const signedWith = (alg: string) => (body: Claims) => {
    const [, payload, signature] = String(body["id_token"]).split(".");
    const header = Buffer.from(JSON.stringify({ alg })).toString("base64url");
    return { ...body, id_token: `${header}.${payload}.${signature}` };
  };
  const answers: [string, string, (body: Claims) => Claims, string, RegExp][] = [
    ["a wrong signature", "/token", wrongSignature, "answer_invalid", /its signature is of no key/],
    ["no signature", "/token", unsigned, "answer_invalid", /it is signed with none, and the discovery/],
    ["another algorithm", "/token", signedWith("HS512"), "answer_invalid", /it is signed with HS512, and/],
    ["a wrong audience", "/token", changed({ aud: "other" }), "answer_invalid", /aud is not OIDC_CLIENT_ID/],
    [
      "a second audience",
      "/token",
      changed({ aud: ["stowage", "other"], azp: "other" }),
      "answer_invalid",
      /its azp is not OIDC_CLIENT_ID/,
    ],
    [
      "a wrong issuer",
      "/token",
      changed({ iss: "https://evil.example" }),
      "answer_invalid",
      /its iss is not OIDC_ISSUER/,
    ],
    ["an expired token", "/token", changed({ exp: past }), "answer_invalid", /it ended \d{3,} seconds ago/],
    ["a token without an end", "/token", changed({ exp: undefined }), "answer_invalid", /no usable exp/],
    ["no subject", "/token", changed({ sub: null }), "answer_invalid", /it has no usable sub/],
    [
      "a wrong nonce",
      "/token",
      changed({ nonce: "of another sign-in" }),
      "answer_invalid",
      /its nonce is of another/,
    ],
    ["no nonce", "/token", changed({ nonce: undefined }), "answer_invalid", /it has no usable nonce/],
    ["no ID token", "/token", ({ id_token: _, ...body }) => body, "provider_refused", /sent no ID token/],
    [
      "the user info of another person",
      "/me",
      (body) => ({ ...body, sub: "somebody else" }),
      "answer_invalid",
      /the user info has another sub/,
    ],
  ];

  test.each(answers)("is refused, and the log says why: %s", async (_, path, alter, refused, cause) => {
    const { person, login } = connected;
    provider.alter = (at, body) => (at === path ? alter(body) : body);
    const before = service.log().length;
    try {
      const visitor = aPerson(service.url, person.email);
      expect((await signInAt(service.url, visitor, login)).refused).toBe(refused);
      expect((await visitor.query("session.me")).code).toBe("signed_out");
    } finally {
      provider.alter = null;
    }
    const warnings = service
      .log()
      .slice(before)
      .split("\n")
      .filter((line) => line.includes("a sign-in with OpenID Connect failed"));
    expect(warnings).toEqual([expect.stringMatching(cause)]);
    expect(warnings[0]).not.toMatch(/@example\.com|Lovelace/);
  });

  test("with the discovery document of another issuer is refused, and the log names the setting", async () => {
    provider.alter = (_, body) => ({ ...body, issuer: "https://evil.example" });
    const other = await aService(settings);
    expect(await startAt(aPerson(other.url))).toMatchObject({ status: 503, code: "oidc_unreachable" });
    expect(other.log()).toContain("OIDC_ISSUER must be exactly https://evil.example");
    provider.alter = null;
    await other.close();
  });
});

describe("the way back from the provider", () => {
  test("is refused with a state that was used, of another browser, or that the service has not made", async () => {
    const { login } = await aConnectedOperator();
    const visitor = aPerson(service.url);
    const back = await signInAt(service.url, visitor, login);
    expect(back.path).toBe("/");
    expect((await comeBack(service.url, visitor, back.callback)).refused).toBe("expired");
    const stolen = await signInAt(service.url, aPerson(service.url), login, { stopBefore: "callback" });
    expect((await comeBack(service.url, aPerson(service.url), stolen.callback)).refused).toBe("expired");
    expect((await comeBack(service.url, visitor, "?code=x&state=y")).refused).toBe("expired");
    expect((await comeBack(service.url, visitor, "")).refused).toBe("expired");
  });

  test("says that the person did not allow the sign-in, and shows no text of the provider", async () => {
    const { login } = anAccount();
    const visitor = aPerson(service.url);
    const { callback } = await signInAt(service.url, visitor, login, { stopBefore: "callback" });
    const state = new URLSearchParams(callback).get("state")!;
    const denied = `?error=access_denied&error_description=call+0900&state=${state}`;
    expect(await comeBack(service.url, visitor, denied)).toMatchObject({
      refused: "cancelled",
      path: "/sign-in?refused=cancelled",
    });
  });

  test.each(["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example"])(
    "never leads to %s",
    async (to) => {
      expect(await startAt(aPerson(service.url), { to })).toMatchObject({ status: 400 });
      // The library's own option is ignored.
      const start = await startAt(aPerson(service.url), { callbackURL: to, errorCallbackURL: to });
      expect(start.text).not.toContain("evil");
    },
  );

  test("is refused after sixty returns from one address within a minute", async () => {
    const visitor = aPerson(service.url);
    const address = "10.0.0.1";
    const refusals: (string | null)[] = [];
    for (let returns = 0; returns < 62; returns++) {
      const back = await comeBack(service.url, visitor, "?code=x&state=y", address);
      refusals.push(back.refused);
    }
    expect(refusals.slice(0, 60)).toEqual(Array(60).fill("expired"));
    expect(refusals.slice(60)).toEqual(["too_many_requests", "too_many_requests"]);
    expect((await comeBack(service.url, visitor, "?code=x&state=y")).refused).toBe("expired");
  });

  test("needs a start from the dashboard's own pages", async () => {
    const start = await aPerson(service.url).auth("sign-in/oidc", {}, { Origin: "https://evil.example" });
    expect(start).toMatchObject({ status: 403, code: "cross_site" });
  });
});

describe("a provider that is down", () => {
  test.each(["hangs", "fails"] as const)(
    "%s: the person is told, passwords work, and it recovers",
    async (mode) => {
      const { person, login } = await aConnectedOperator();
      const other = await aService(settings);
      provider.mode = mode;
      try {
        const visitor = aPerson(other.url, person.email);
        expect(await startAt(visitor)).toMatchObject({ status: 503, code: "oidc_unreachable" });
        expect((await visitor.signIn()).status).toBe(200);
        expect(other.log()).toContain("a sign-in with OpenID Connect failed");
      } finally {
        provider.mode = "works";
      }
      expect((await signInAt(other.url, aPerson(other.url), login)).path).toBe("/");
      await other.close();
    },
  );

  test("while the person comes back is a refusal that can be tried again", async () => {
    const visitor = aPerson(service.url);
    const { callback } = await signInAt(service.url, visitor, anAccount().login, { stopBefore: "callback" });
    provider.mode = "fails";
    const back = await comeBack(service.url, visitor, callback).finally(() => (provider.mode = "works"));
    expect(back.refused).toBe("provider_unreachable");
  });
});

describe("with REQUIRE_TWO_FACTOR=on", () => {
  test("the provider must prove a second factor, and then no set-up is needed", async () => {
    const { person, login } = await aConnectedOperator();
    const strict = await aService({ ...settings, REQUIRE_TWO_FACTOR: "on" });
    // A session from before the setting.
    const earlier = aPerson(strict.url, person.email);
    for (const [name, value] of person.cookies) earlier.cookies.set(name, value);
    expect((await earlier.query("session.me")).code).toBe("signed_out");
    expect((await signInAt(strict.url, aPerson(strict.url), login)).refused).toBe("second_factor_missing");
    provider.alter = (path, body) => {
      if (path !== "/token") return body;
      const payload = String(body["id_token"]).split(".")[1]!;
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
      return { ...body, id_token: provider.sign({ ...claims, amr: ["pwd", "mfa"] }) };
    };
    const visitor = aPerson(strict.url, person.email);
    const back = await signInAt(strict.url, visitor, login).finally(() => (provider.alter = null));
    expect(back.path).toBe("/");
    expect((await visitor.query("projects.list", {})).status).toBe(200);
    const trusting = await aService({
      ...settings,
      REQUIRE_TWO_FACTOR: "on",
      OIDC_SECOND_FACTOR: "provider",
    });
    expect((await signInAt(trusting.url, aPerson(trusting.url), login)).path).toBe("/");
    await Promise.all([strict.close(), trusting.close()]);
  });
});

describe("with PASSWORD_SIGN_IN=off", () => {
  test("passwords and their sessions are refused, except those of an operator with an exception", async () => {
    const person = await anOperator(service.url);
    const closed = await aService({ ...settings, PASSWORD_SIGN_IN: "off" });
    const earlier = aPerson(closed.url, person.email);
    for (const [name, value] of person.cookies) earlier.cookies.set(name, value);
    expect((await earlier.query("session.me")).code).toBe("signed_out");
    expect(await aPerson(closed.url, person.email).signIn()).toMatchObject({
      status: 403,
      code: "password_sign_in_off",
    });
    // A wrong password does not tell who has an exception.
    expect((await aPerson(closed.url, person.email).signIn("wrong password")).code).toBe("wrong_credentials");
    await queryDatabase("update operators set may_use_password = true where email = $1", [person.email]);
    const visitor = aPerson(closed.url, person.email);
    expect((await visitor.signIn()).status).toBe(200);
    expect((await visitor.query("session.me")).status).toBe(200);
    const { token } = await anInvitation("new@example.com");
    const account = { token, name: "New", password: PASSWORD };
    expect((await aPerson(closed.url).mutate("members.accept", account)).code).toBe("password_sign_in_off");
    await closed.close();
  });
});
