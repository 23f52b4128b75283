import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { aDatabase } from "../fixtures/a-database.js";
import { aProcess } from "../fixtures/a-process.js";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

let database: Awaited<ReturnType<typeof aDatabase>>;
let settings: Record<string, string>;
beforeEach(async () => {
  database = await aDatabase();
  const DASHBOARD_URL = "http://dashboard.test";
  settings = { ...inject("servers"), DATABASE_URL: database.url, PORT: "0", DASHBOARD_URL };
});
afterEach(() => database.drop());

const CTRL_C = "\u0003";
const link = /http:\/\/dashboard\.test\/setup#([\w-]{43})\s/;
const setupLink = (...options: string[]) =>
  promisify(execFile)(process.execPath, [CLI, "operator", "setup-link", ...options], {
    env: { PATH: process.env["PATH"], ...settings },
  });

const finishSetup = (url: string, token: string) =>
  fetch(`${url}/trpc/setup.finish`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: "http://dashboard.test" },
    body: JSON.stringify({
      token,
      name: "First",
      email: "first@example.com",
      password: "correct horse battery",
    }),
    signal: AbortSignal.timeout(60_000),
  });

test("without a terminal it prints no link, only the command that prints one, until there is an operator", async () => {
  const service = await aProcess(settings);
  await expect
    .poll(() => service.output())
    .toContain("No operator yet. Run stowage operator setup-link with the service's settings");
  expect(service.output()).not.toContain("setup#");

  const { stdout } = await setupLink();
  expect(stdout).toMatch(/^Set-up of the first operator, valid once within 24 hours: http/);
  const { url } = JSON.parse((await setupLink("--json")).stdout) as { url: string };
  expect(`${url} `).toMatch(link);
  const [, token] = link.exec(stdout)!;
  expect((await finishSetup(service.url, token!)).status).toBe(200);
  expect(service.output()).not.toContain(token);
  await service.kill();

  await expect(setupLink()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("already") });
  const again = await aProcess(settings);
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
  again.child.kill("SIGTERM");
  await again.exit;
  expect(again.output()).not.toMatch(/setup#|No operator/);
});

test("prints the link to a terminal, and its first user becomes the admin", async () => {
  // script(1) of util-linux gives the process a terminal.
  const terminal = spawn("script", ["-qefc", `"${process.execPath}" "${MAIN}"`, "/dev/null"], {
    env: { PATH: process.env["PATH"], AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true", ...settings },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  terminal.stdout.on("data", (chunk: Buffer) => void (output += chunk.toString("utf8")));
  const listening = /listening on (http:\/\/[\d.:]+)/;
  await expect.poll(() => link.test(output) && listening.test(output)).toBe(true);
  const address = listening.exec(output)![1]!;
  expect((await finishSetup(address, link.exec(output)![1]!)).status).toBe(200);
  const ended = new Promise((resolve) => terminal.once("exit", resolve));
  terminal.stdin.write(CTRL_C);
  await ended;
});
