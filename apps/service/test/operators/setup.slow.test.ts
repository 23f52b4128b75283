import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#db/client.js";
import { finishSetup } from "#auth/setup.js";
import { aDatabase } from "../fixtures/a-database.js";
import { aPerson, PASSWORD } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";

let database: Awaited<ReturnType<typeof aDatabase>>;
let service: RunningService;
beforeEach(async () => {
  database = await aDatabase();
  service = await aService({ DATABASE_URL: database.url });
});
afterEach(async () => {
  await service.close();
  await database.drop();
});

async function rows<Row>(text: string): Promise<Row[]> {
  const db = openDatabase({ url: database.url, poolSize: 1, timeoutMs: 60_000 });
  return db.execute<Row>(text, []).finally(() => db.close());
}

const tokenOf = (url: string | null) => new URL(url!).hash.slice(1);
const setupInput = (token: string, email = "first@example.com") => ({
  token,
  name: "First",
  email,
  password: PASSWORD,
});

test("the link of the first start creates one operator, the installation's admin, and then stops working", async () => {
  const person = aPerson(service.url, "first@example.com");
  expect((await person.query("setup.status")).data).toMatchObject({ isSetUp: false });
  const url = await service.offerSetup();
  expect(url).toMatch(/^http:\/\/dashboard\.test\/setup#[\w-]{43}$/);
  const finished = await person.mutate("setup.finish", setupInput(tokenOf(url), "First@Example.com"));
  expect(finished).toMatchObject({ status: 200, data: { email: "first@example.com" } });
  expect((await person.query("setup.status")).data).toMatchObject({ isSetUp: true });
  expect((await person.signIn()).status).toBe(200);
  expect((await person.query("session.me")).data).toMatchObject({ name: "First", isAdmin: true });

  expect(await service.offerSetup()).toBeNull();
  const again = await person.mutate("setup.finish", setupInput(tokenOf(url), "second@example.com"));
  expect(again).toMatchObject({ status: 403, code: "setup_refused" });
  expect(await rows("select * from setup_tokens")).toEqual([]);
});

test("only one of several people who use the link becomes the operator", async () => {
  const token = tokenOf(await service.offerSetup());
  const other = await aService({ DATABASE_URL: database.url });
  const otherToken = tokenOf(await other.offerSetup());
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      aPerson((i % 2 ? service : other).url).mutate(
        "setup.finish",
        setupInput(i % 3 ? token : otherToken, `p${i}@example.com`),
      ),
    ),
  );
  await other.close();
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array<number>(7).fill(403)]);
  expect(await rows("select email from operators")).toHaveLength(1);
  expect(await rows("select action from audit_log")).toEqual([{ action: "installation.set_up" }]);
});

test("stores only the hash of a token, and logs no token", async () => {
  const token = tokenOf(await service.offerSetup());
  await aPerson(service.url).mutate("setup.finish", setupInput(token));
  expect(service.log()).not.toContain(token);
  expect(service.log()).not.toContain(PASSWORD);
});

test.each([
  ["a made-up token", { token: "x".repeat(43) }, "setup_refused"],
  ["no token", { token: "" }, "invalid_request"],
  ["a short password", { password: "eleven char" }, "invalid_request"],
  ["something that is no address", { email: "first" }, "invalid_request"],
])("refuses %s, and the link still works", async (_, wrong, code) => {
  const token = tokenOf(await service.offerSetup());
  const person = aPerson(service.url);
  expect(await person.mutate("setup.finish", { ...setupInput(token), ...wrong })).toMatchObject({ code });
  expect(await rows("select * from operators")).toEqual([]);
  expect((await person.mutate("setup.finish", setupInput(token))).status).toBe(200);
});

test("a start deletes links that are older than a day", async () => {
  const old = tokenOf(await service.offerSetup());
  await rows("update setup_tokens set created_at = created_at - interval '25 hours'");
  const fresh = tokenOf(await service.offerSetup());
  const person = aPerson(service.url);
  expect((await person.mutate("setup.finish", setupInput(old))).status).toBe(403);
  expect((await person.mutate("setup.finish", setupInput(fresh))).status).toBe(200);
});

test("a project of the command line belongs to the admin until it has an owner", async () => {
  const admin = aPerson(service.url, "first@example.com");
  await admin.mutate("setup.finish", setupInput(tokenOf(await service.offerSetup())));
  await admin.signIn();
  await rows(`insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
    values ('cli', 'Of the command line', 'h', '', '', 1, now(), now())`);
  const list = () => admin.query<{ projects: { ref: string; role: string }[] }>("projects.list", {});
  expect((await list()).data.projects).toMatchObject([{ ref: "cli", role: "owner" }]);

  const invited = await admin.mutate<{ url: string }>("members.invite", {
    projectRef: "cli",
    email: "other@example.com",
    role: "owner",
  });
  const token = tokenOf(invited.data.url);
  const other = aPerson(service.url, "other@example.com");
  expect((await other.mutate("members.accept", { token, name: "Other", password: PASSWORD })).status).toBe(
    200,
  );
  await other.signIn();
  expect((await other.query("projects.read", { projectRef: "cli" })).status).toBe(200);
  expect((await list()).data.projects).toEqual([]);
  expect((await admin.query("projects.read", { projectRef: "cli" })).status).toBe(404);
});

test("only one of several simultaneous set-ups succeeds", async () => {
  const token = tokenOf(await service.offerSetup());
  const db = openDatabase({ url: database.url, poolSize: 8, timeoutMs: 60_000 });
  const clock = () => new Date();
  // All requests finish hashing their passwords at the same time.
  let waiting = 0;
  let goOn = () => {};
  const together = new Promise<void>((resolve) => (goOn = resolve));
  const hashPassword = async () => {
    if (++waiting === 8) goOn();
    await together;
    return "hash";
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) =>
      finishSetup(
        { db, clock, randomBytes, signIn: { hashPassword }, isPasswordOff: false },
        { ipAddress: "192.0.2.1", userAgent: "" },
        setupInput(token, `p${i}@example.com`),
      ),
    ),
  );
  await db.close();
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await rows("select email from operators")).toHaveLength(1);
});
