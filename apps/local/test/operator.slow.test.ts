import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureLocalOperator } from "#local-operator.js";
import { aFolder, aRun, type Run } from "./fixtures/a-run.js";
import { operatorOf, signInAt } from "./fixtures/a-sign-in.js";
import { askDatabase } from "./fixtures/ask-database.js";

/*
 * Who can sign in after `npm start`.
 */
let folder: Awaited<ReturnType<typeof aFolder>>;
let run: Run | undefined;
beforeEach(async () => {
  folder = await aFolder();
});
afterEach(async () => {
  await stop();
  await folder.remove();
});

async function start(): Promise<{ url: string; said: string }> {
  run = aRun(folder.path);
  const { service } = await run.ready;
  return { url: service, said: /Dashboard +(.*)/.exec(run.output())![1]! };
}

async function stop(): Promise<void> {
  if (run?.child.exitCode === null && run.child.signalCode === null) run.child.kill("SIGINT");
  await run?.exit;
}

const file = () => join(folder.path, "operator.json");

test("one operator is made, who signs in under each name of this machine, and from no other page", async () => {
  const { url, said } = await start();
  const { port } = new URL(url);
  const operator = await operatorOf(folder.path);
  expect(said).toBe(`${url}   sign in as operator@stowage.test; the password is in ${file()}`);
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect(operator.password).toMatch(/^[\w-]{24}$/);
  expect(run!.output()).not.toContain(operator.password);
  for (const name of ["localhost", "127.0.0.1"])
    expect([name, await signInAt(`http://${name}:${port}`, operator)]).toEqual([name, 200]);
  for (const origin of [`http://localhost:${Number(port) + 1}`, `https://localhost:${port}`, "http://a.test"])
    expect([origin, await signInAt(origin, operator, url)]).toEqual([origin, 403]);

  await writeFile(join(folder.path, "late.json"), "");
  const answer = await ensureLocalOperator({
    file: join(folder.path, "late.json"),
    setupUrl: `${url}/setup#${"x".repeat(43)}`,
    serviceUrl: url,
    cli: "",
    databaseUrl: "",
    randomBytes,
  });
  expect([answer, existsSync(join(folder.path, "late.json"))]).toEqual([undefined, false]);
});

test("the same one is there at the next start, and one of a start that was cut short is made by the next", async () => {
  // As a crash leaves it between the password's keeping and the service's answer.
  const kept = { email: "operator@stowage.test", password: "kept before the crash" };
  await writeFile(file(), JSON.stringify(kept));
  const first = await start();
  expect(await signInAt(first.url, kept)).toBe(200);
  await stop();
  const second = await start();
  expect(await operatorOf(folder.path)).toEqual(kept);
  expect(second.said).toContain("sign in as operator@stowage.test");
  expect(await signInAt(second.url, kept)).toBe(200);
});

test("where somebody else can sign in nobody is made, and nobody is named; a deleted folder starts anew", async () => {
  await start();
  await askDatabase(folder.path, "update operators set email = 'somebody@example.com'");
  await stop();
  const { url, said } = await start();
  expect(said).toBe(`${url}   sign in as you have set it up`);
  expect(await askDatabase(folder.path, "select email from operators")).toHaveLength(1);
  const before = await operatorOf(folder.path);
  await stop();
  await rm(folder.path, { recursive: true });
  const anew = await start();
  const operator = await operatorOf(folder.path);
  expect(operator.password).not.toBe(before.password);
  expect(await signInAt(anew.url, operator)).toBe(200);
});
