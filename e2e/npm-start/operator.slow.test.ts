import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureLocalOperator } from "@stowage/local/src/local-operator.js";
import { aFolder, aRun, type Folder, type Run } from "../fixtures/a-run.js";
import { queryDatabase } from "../fixtures/query-database.js";
import { readOperator, signInStatus } from "../fixtures/sign-in.js";

let folder: Folder;
let run: Run | undefined;
beforeEach(async () => {
  folder = await aFolder();
});
afterEach(async () => {
  await stop();
  await folder[Symbol.asyncDispose]();
});

async function start(): Promise<{ url: string; dashboardLine: string }> {
  run = aRun(folder.path);
  const { service } = await run.ready;
  return { url: service, dashboardLine: /Dashboard +(.*)/.exec(run.output())![1]! };
}

async function stop(): Promise<void> {
  if (run?.child.exitCode === null && run.child.signalCode === null) run.child.kill("SIGINT");
  await run?.exit;
}

const operatorFile = () => join(folder.path, "operator.json");

test("creates one operator, who can sign in at each name of this machine and from no other origin", async () => {
  const { url, dashboardLine } = await start();
  const { port } = new URL(url);
  const operator = await readOperator(folder.path);
  expect(dashboardLine).toBe(
    `${url}   sign in as operator@stowage.test; the password is in ${operatorFile()}`,
  );
  expect((await stat(operatorFile())).mode & 0o777).toBe(0o600);
  expect(operator.password).toMatch(/^[\w-]{24}$/);
  expect(run!.output()).not.toContain(operator.password);
  // The link that creates the first operator reaches this process by another way than the service's output.
  expect(await readFile(join(folder.path, "logs", "service.log"), "utf8")).not.toContain("setup#");
  for (const name of ["localhost", "127.0.0.1"])
    expect([name, await signInStatus(`http://${name}:${port}`, operator)]).toEqual([name, 200]);
  for (const origin of [`http://localhost:${Number(port) + 1}`, `https://localhost:${port}`, "http://a.test"])
    expect([origin, await signInStatus(origin, operator, url)]).toEqual([origin, 403]);

  await writeFile(join(folder.path, "late.json"), "");
  const created = await ensureLocalOperator({
    file: join(folder.path, "late.json"),
    setupUrl: `${url}/setup#${"x".repeat(43)}`,
    serviceUrl: url,
    cli: "",
    databaseUrl: "",
    randomBytes,
  });
  expect([created, existsSync(join(folder.path, "late.json"))]).toEqual([undefined, false]);
});

test("keeps the operator for the next start, and creates the operator of an interrupted start", async () => {
  // The state after a crash between writing the password and the service's response.
  const stored = { email: "operator@stowage.test", password: "written before the crash" };
  await writeFile(operatorFile(), JSON.stringify(stored));
  const first = await start();
  expect(await signInStatus(first.url, stored)).toBe(200);
  await stop();
  const second = await start();
  expect(await readOperator(folder.path)).toEqual(stored);
  expect(second.dashboardLine).toContain("sign in as operator@stowage.test");
  expect(await signInStatus(second.url, stored)).toBe(200);
});

test("creates and names no operator if there is another one, and creates a new one after the folder was deleted", async () => {
  await start();
  await queryDatabase(folder.path, "update operators set email = 'other@example.com'");
  await stop();
  const { url, dashboardLine } = await start();
  expect(dashboardLine).toBe(`${url}   sign in with your own account`);
  expect(await queryDatabase(folder.path, "select email from operators")).toHaveLength(1);
  const before = await readOperator(folder.path);
  await stop();
  await rm(folder.path, { recursive: true });
  const fresh = await start();
  const operator = await readOperator(folder.path);
  expect(operator.password).not.toBe(before.password);
  expect(await signInStatus(fresh.url, operator)).toBe(200);
});
