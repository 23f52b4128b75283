import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { aFolder } from "./a-folder.js";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const ENTER = "\r";
const DOWN = "\u001b[B";
const CTRL_C = "\u0003";

/** Runs the command in a terminal. Each key is pressed when its question is on the screen. */
async function inTerminal(cwd: string, keys: [question: string, key: string][]) {
  // `script` gives the process a terminal. It has no size without `stty`, and every letter would be a line.
  const command = `stty cols 80 rows 24; "${process.execPath}" "${MAIN}" --no-install`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd,
    env: { PATH: process.env["PATH"], TERM: "xterm" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  const waiting = [...keys];
  child.stdout.on("data", (chunk: Buffer) => {
    output += String(chunk);
    const next = waiting[0];
    if (next === undefined || !output.includes(next[0])) return;
    waiting.shift();
    child.stdin.write(next[1]);
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

test("asks for the folder and the framework in a terminal", async () => {
  await using folder = await aFolder();
  const { code, output } = await inTerminal(folder.path, [
    ["Where should the app be?", `files${ENTER}`],
    ["Which framework?", `${DOWN}${ENTER}`],
  ]);
  expect(code, output).toBe(0);
  expect(output).toContain("Vite + Express");
  expect(await folder.read("files/src/server/app.ts")).toContain("express");
});

test("creates nothing if the person presses Ctrl-C", async () => {
  await using folder = await aFolder();
  const { code, output } = await inTerminal(folder.path, [["Where should the app be?", CTRL_C]]);
  expect(code).toBe(1);
  expect(output).toContain("Nothing was created.");
  expect(await folder.contents()).toEqual({});
});
