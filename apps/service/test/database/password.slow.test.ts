import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { describeError } from "#cli/report-error.js";
import { composeDatabase } from "#compose-adapters.js";
import { readDatabaseConfig } from "#config.js";
import { openDatabase } from "#db/client.js";
import { migrate } from "#db/migrate.js";
import { openPasswordSource } from "#db/driver/password-source.js";
import { aDatabase } from "../fixtures/a-database.js";
import { aProcess } from "../fixtures/a-process.js";
import { stowage } from "../fixtures/command-line.js";

/* Passwords from a file and from a command, on a PostgreSQL that checks them. */

const role = `rotating_${randomBytes(6).toString("hex")}`;
let database: Awaited<ReturnType<typeof aDatabase>>;
let administrator: ReturnType<typeof openDatabase>;
let dir: string;
let url: string;
/** Where the password is, which the command prints. */
let file: string;

beforeAll(async () => {
  database = await aDatabase();
  administrator = openDatabase({ url: database.url, poolSize: 1, timeoutMs: 60_000 });
  dir = await mkdtemp(join(tmpdir(), "stowage-password-"));
  file = join(dir, "password");
  url = Object.assign(new URL(database.url), { username: role, password: "" }).href;
  await administrator.execute(`create role ${role} superuser login`, []);
});
afterAll(async () => {
  await administrator.execute(`drop role ${role}`, []);
  await administrator.close();
  await database.drop();
  await rm(dir, { recursive: true });
});
beforeEach(async () => {
  await setPassword("first/+@");
  await writeFile(file, "first/+@\n");
});

const setPassword = (password: string) =>
  administrator.execute(`alter role ${role} password '${password}'`, []);
const endConnections = () =>
  administrator.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [role]);
const node = (program: string) => `"${process.execPath}" -e '${program}'`;
/** Prints the file, and notes the run and what it is told about the connection. */
const command = () =>
  node(
    `const fs = require("fs"); const { PGHOST, PGPORT, PGUSER, PGDATABASE } = process.env; fs.appendFileSync("${file}.log", [PGHOST, PGPORT, PGUSER, PGDATABASE] + "\\n"); console.log(fs.readFileSync("${file}", "utf8"))`,
  );

/** Settings for one of the two. */
const sources: Record<string, () => Record<string, string>> = {
  DATABASE_PASSWORD_FILE: () => ({ DATABASE_PASSWORD_FILE: file }),
  DATABASE_PASSWORD_COMMAND: () => ({ DATABASE_PASSWORD_COMMAND: command() }),
};

function open(settings: Record<string, string>) {
  const db = composeDatabase(
    readDatabaseConfig({ DATABASE_URL: url, DATABASE_TIMEOUT_MS: "60000", ...settings }),
  );
  onTestFinished(() => db.close());
  return db;
}

test.each(Object.keys(sources))(
  "%s is asked again for each new connection, so a changed password needs no restart",
  async (name) => {
    const db = open(sources[name]!());
    await db.warmUp();
    const count = "select count(*)::int as n from pg_stat_activity where usename = $1";
    const connections = async () => (await administrator.execute<{ n: number }>(count, [role]))[0]!.n;
    expect(await connections()).toBe(14);
    // Open connections stay.
    await setPassword("second");
    expect(await db.execute("select 1 as x", [])).toEqual([{ x: 1 }]);
    await writeFile(file, "second\n");
    await endConnections();
    await expect
      .poll(() => db.execute("select 1 as x", []).catch(() => null), { timeout: 60_000 })
      .toEqual([{ x: 1 }]);
  },
);

test("a password that is wrong is refused, and the right one is taken as soon as the file has it", async () => {
  await writeFile(file, "wrong");
  const db = open(sources["DATABASE_PASSWORD_FILE"]!());
  const refused = await db.execute("select 1 as x", []).catch((error: Error) => error);
  expect(describeError(refused)).toContain("password authentication failed");
  await writeFile(file, "first/+@");
  await expect
    .poll(() => db.execute("select 1 as x", []).catch(() => null), { timeout: 60_000 })
    .toEqual([{ x: 1 }]);
});

test("the command knows the connection, and connections that are opened together share a run", async () => {
  await rm(`${file}.log`, { force: true });
  await open(sources["DATABASE_PASSWORD_COMMAND"]!()).warmUp();
  const { hostname, port, pathname } = new URL(url);
  const runs = (await readFile(`${file}.log`, "utf8")).trim().split("\n");
  expect(new Set(runs)).toEqual(new Set([[hostname, port, role, pathname.slice(1)].join()]));
  expect(runs.length).toBeLessThan(14);
});

test.each<[what: string, command: () => string, sentence: string]>([
  [
    "fails",
    () => node(`console.log("s3cret"); console.error("s3cret"); process.exit(3)`),
    "DATABASE_PASSWORD_COMMAND exited with 3 (NO_PASSWORD)",
  ],
  ["prints nothing", () => "true", "DATABASE_PASSWORD_COMMAND gives no password (NO_PASSWORD)"],
  [
    "prints two lines",
    () => "echo s3cret; echo s3cret",
    "DATABASE_PASSWORD_COMMAND gives more than one line (NO_PASSWORD)",
  ],
  [
    "does not end its output",
    () => "yes s3cret",
    "DATABASE_PASSWORD_COMMAND printed more than a password (NO_PASSWORD)",
  ],
  ["is missing", () => "/no/such/program", "DATABASE_PASSWORD_COMMAND exited with 127 (NO_PASSWORD)"],
])(
  "a command that %s is named, without its output, and its connection fails",
  async (_what, make, sentence) => {
    const db = open({ DATABASE_PASSWORD_COMMAND: make() });
    const failure = await db.execute("select 1", []).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "unavailable" });
    expect(describeError(failure)).toContain(sentence);
    expect(`${(failure as Error).stack} ${describeError(failure)}`).not.toContain("s3cret");
  },
);

test("a command that hangs is killed with what it started", async () => {
  const pidFile = join(dir, "pid");
  const hanging = `sleep 300 & echo $! > ${pidFile}; wait`;
  const read = openPasswordSource({ command: hanging }, { url, timeoutMs: 5000 });
  await expect(read()).rejects.toThrow("DATABASE_PASSWORD_COMMAND took longer than 5000 ms");
  const pid = Number(await readFile(pidFile, "utf8"));
  const state = () =>
    readFile(`/proc/${pid}/stat`, "utf8").then(
      (stat) => stat.split(" ")[2],
      () => "gone",
    );
  await expect.poll(state, { timeout: 60_000 }).toMatch(/gone|Z/);
});

test("a file that is gone later is named", async () => {
  const db = open(sources["DATABASE_PASSWORD_FILE"]!());
  await rm(file);
  const failure = await db.execute("select 1", []).catch((error: Error) => error);
  expect(describeError(failure)).toContain("DATABASE_PASSWORD_FILE cannot be read (ENOENT)");
});

test.each(Object.keys(sources))("%s serves migrations, the command line and the service", async (name) => {
  const settings = { DATABASE_URL: url, DATABASE_TIMEOUT_MS: "60000", ...sources[name]!() };
  for (const args of [["migrate"], ["usage"]]) {
    const { code, stderr } = await stowage(args, settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
  const source = readDatabaseConfig(settings);
  expect(source.DATABASE_URL).not.toContain("first");
  const service = await aProcess({ ...inject("servers"), PORT: "0", ...settings });
  onTestFinished(() => service.kill());
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});

test("migrations use the password of MIGRATION_DATABASE_URL, if it has one", async () => {
  await writeFile(file, "wrong");
  const settings = { DATABASE_URL: url, MIGRATION_DATABASE_URL: database.url, DATABASE_PASSWORD_FILE: file };
  const { code, stderr } = await stowage(["migrate"], settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  await expect(
    migrate(url, 60_000, { readPassword: openPasswordSource({ file }, { url, timeoutMs: 1000 }) }),
  ).rejects.toThrow("password authentication failed");
});
