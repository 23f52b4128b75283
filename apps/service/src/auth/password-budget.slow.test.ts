import { StowageError } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#db/client.js";
import { aDatabase } from "../../test/fixtures/a-database.js";
import { deleteExpired } from "./delete-expired.js";
import { withPasswordBudget } from "./password-budget.js";

let database: Awaited<ReturnType<typeof aDatabase>>;
let replicas: Database[];
beforeAll(async () => {
  database = await aDatabase();
  replicas = [1, 2].map(() => openDatabase({ url: database.url, poolSize: 14, timeoutMs: 60_000 }));
});
afterAll(async () => {
  for (const db of replicas) await db.close();
  await database.drop();
});

const WRONG = new Error("the password is wrong");
const start = new Date("2026-01-01T12:00:00Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
let lastBucket = 0;

/** Makes guesses at one budget. A guess answers "wrong", "right" or the seconds to wait. */
function aBudget() {
  const bucket = ++lastBucket;
  let atSeconds = 0;
  const use = (replica: number, check: () => Promise<string>) =>
    withPasswordBudget(
      { db: replicas[replica]!, clock: () => after(atSeconds) },
      bucket,
      check,
      (error) => error === WRONG,
    ).catch((error: unknown) => {
      if (error === WRONG) return "wrong";
      if (error instanceof StowageError && error.code === "too_many_requests")
        return error.retryAfterSeconds!;
      throw error;
    });
  return {
    at: (seconds: number) => void (atSeconds = seconds),
    guess: (replica = 0) => use(replica, () => Promise.reject(WRONG)),
    signIn: (replica = 0) => use(replica, async () => "right"),
    fail: () => use(0, () => Promise.reject(new Error("an outage"))),
  };
}

test("allows ten wrong passwords, and then one per minute", async () => {
  const budget = aBudget();
  for (let tries = 0; tries < 10; tries++) expect(await budget.guess(tries % 2)).toBe("wrong");
  expect(await budget.guess()).toBe(60);
  expect(await budget.signIn(1)).toBe(60);
  budget.at(59.5);
  expect(await budget.guess()).toBe(1);
  budget.at(60);
  expect(await budget.signIn()).toBe("right");
  expect(await budget.guess()).toBe("wrong");
  expect(await budget.guess(1)).toBe(60);
  budget.at(3600);
  for (let tries = 0; tries < 10; tries++) expect(await budget.guess()).toBe("wrong");
  expect(await budget.guess()).toBe(60);
});

test("never exceeds it when many replicas guess at the same time", async () => {
  const budget = aBudget();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => budget.guess(index % 2)));
  expect(answers.filter((answer) => answer === "wrong")).toHaveLength(10);
});

test("allows at most 70 guesses in an hour, however often they are tried", async () => {
  const budget = aBudget();
  let wrong = 0;
  for (let seconds = 0; seconds < 3600; seconds += 10) {
    budget.at(seconds);
    if ((await budget.guess()) === "wrong") wrong++;
  }
  expect(wrong).toBe(69);
});

test("takes no try for a right password or an outage", async () => {
  const budget = aBudget();
  for (let tries = 0; tries < 25; tries++) expect(await budget.signIn()).toBe("right");
  for (let tries = 0; tries < 15; tries++) await expect(budget.fail()).rejects.toThrow("an outage");
  for (let tries = 0; tries < 10; tries++) expect(await budget.guess()).toBe("wrong");
  expect(await budget.guess()).toBe(60);
});

test("is forgotten when all tries are back", async () => {
  const [db] = replicas as [Database];
  const rows = async () => {
    const [row] = await db.execute<{ n: number }>("select count(*)::int as n from password_budgets", []);
    return row!.n;
  };
  await db.execute("delete from password_budgets", []);
  const budget = aBudget();
  for (let tries = 0; tries < 10; tries++) await budget.guess();
  await deleteExpired({ db, clock: () => after(599) });
  expect(await rows()).toBe(1);
  await deleteExpired({ db, clock: () => after(601) });
  expect(await rows()).toBe(0);
  expect(await budget.guess()).toBe("wrong");
});
