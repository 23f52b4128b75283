// Node, Bun and Deno: the whole of `npm start` on them, and the packages that customers use.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { install, lastLines, root, run, versionOf } from "./install.mjs";
import { readDemo, startLocal } from "./local.mjs";
import { storeImage, storeText } from "./requests.mjs";

/** `promised` says what the README promises: everything, or only the packages. */
const RUNTIMES = {
  "node-20": { package: "node@20", binary: "node/bin/node", promised: "all" },
  "node-22": { package: "node@22", binary: "node/bin/node", promised: "all" },
  "node-24": { package: "node@24", binary: "node/bin/node", promised: "all" },
  "node-26": { package: "node@26", binary: "node/bin/node", promised: "all" },
  bun: { package: "bun@1", binary: ".bin/bun", promised: "packages" },
  deno: { package: "deno@2", binary: ".bin/deno", args: ["run", "-A"], promised: "packages" },
};

const SERVICE_ROWS = ["start", "first upload", "image variant", "stop", "fast tests"];
const PACKAGE_ROWS = ["schemas", "helper", "helper's client", "client", "webhooks"];
/** The folders with fast tests of code that users run. The dashboard's and the documentation's code does not depend on the runtime. */
const TESTED = ["packages/schemas", "packages/server", "packages/client", "packages/react", "apps/service"];
const TEST_MS = 900_000;

export async function checkRuntimes({ folder, packed, only }) {
  const columns = [];
  const failures = [];
  // The packages call a Stowage that runs on this process's own Node.
  const reference = await startLocal({ command: [process.execPath], dataDir: join(folder, "reference") });
  try {
    for (const [name, runtime] of Object.entries(RUNTIMES)) {
      if (only !== undefined && only !== name) continue;
      const { version, results } = await checkRuntime({ name, runtime, folder, packed, reference });
      columns.push({ version, results });
      for (const [row, result] of Object.entries(results)) console.error(`  ${row}: ${cell(result)}`);
      for (const [row, { isFailed, text }] of Object.entries(results)) {
        const isPromised = runtime.promised === "all" || PACKAGE_ROWS.includes(row);
        if (isFailed && isPromised) failures.push(`${version}, ${row}: ${text}`);
        if (isFailed) console.error(`${version}, ${row}: ${text}`);
      }
    }
  } finally {
    await reference.stop();
  }
  const header = ["", ...columns.map(({ version }) => version)];
  const rows = [...SERVICE_ROWS, ...PACKAGE_ROWS].map((row) => [
    row,
    ...columns.map(({ results }) => cell(results[row])),
  ]);
  return { tables: [{ title: "Runtimes", header, rows }], failures };
}

function cell(result) {
  if (result === undefined) return "–";
  return result.isFailed ? "**no**" : result.text;
}

async function checkRuntime({ name, runtime, folder, packed, reference }) {
  const home = await install(join(folder, name), {
    ...packed,
    [runtime.package.split("@")[0]]: runtime.package.split("@")[1],
    "@trpc/server": "^11",
  });
  const binary = join(home, "node_modules", runtime.binary);
  const command = [binary, ...(runtime.args ?? [])];
  const version = `${runtime.package.split("@")[0]} ${versionOf(home, runtime.package.split("@")[0])}`;
  console.error(`${version} …`);
  const results = {
    ...(await checkService(command, join(folder, `${name}-data`))),
    "fast tests": await runFastTests(name, command),
    ...(await checkPackages(command, home, reference)),
  };
  return { version, results };
}

/** Starts what `npm start` starts, with every process on the runtime, and uses it. */
async function checkService(command, dataDir) {
  const results = {};
  const startedAt = performance.now();
  let local;
  try {
    local = await startLocal({ command, dataDir });
    results.start = passed(startedAt);
    const demo = readDemo(dataDir);
    for (const [row, step] of Object.entries({ "first upload": storeText, "image variant": storeImage })) {
      const stepAt = performance.now();
      results[row] = await step(demo).then(() => passed(stepAt), failed);
    }
  } catch (error) {
    results[local === undefined ? "start" : "first upload"] = failed(error);
  } finally {
    const stoppedAt = performance.now();
    if (local !== undefined) results.stop = await local.stop().then(() => passed(stoppedAt), failed);
    rmSync(dataDir, { recursive: true, force: true });
  }
  return results;
}

async function runFastTests(name, command) {
  // Vitest's workers are forks of the process that runs it, so they run on the same runtime.
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const [binary, ...args] = name === "bun" ? [command[0], "--bun"] : command;
  let count = 0;
  for (const folder of TESTED) {
    const cwd = join(root, folder);
    const report = join(cwd, "test-results/vitest.json"); // vitest.base.ts names it
    rmSync(report, { force: true });
    const options = ["run", "--project", "fast"];
    const { status, output } = await run(binary, [...args, vitest, ...options], { cwd, timeoutMs: TEST_MS });
    const counted = readReport(report);
    if (status !== 0 || counted === undefined) {
      const reason = counted?.failures.join("\n") || lastLines(output);
      return failed(new Error(`${folder}: ${reason || `ended with ${status}`}`));
    }
    count += counted.passed;
  }
  return { isFailed: false, text: `${count}` };
}

function readReport(path) {
  if (!existsSync(path)) return undefined;
  const report = JSON.parse(readFileSync(path, "utf8"));
  const failures = report.testResults.flatMap(({ name, message, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === "failed");
    if (tests.length === 0) return message ? [`${name}: ${lastLines(message, 3)}`] : [];
    return tests.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split("\n")[0]}`);
  });
  return { passed: report.numPassedTests, failures: failures.slice(0, 10) };
}

/** Runs `use-packages.mjs` on the runtime. It prints one line of JSON for each row. */
async function checkPackages(command, home, reference) {
  const program = join(home, "use-packages.mjs");
  copyFileSync(new URL("./use-packages.mjs", import.meta.url), program);
  mkdirSync(join(home, "files"), { recursive: true });
  writeFileSync(join(home, "files/large.bin"), new Uint8Array(11 * 1024 ** 2).fill(7));
  const { api_key, base_url } = readDemo(reference.dataDir);
  const env = { STOWAGE_API_KEY: api_key, STOWAGE_URL: base_url };
  const { status, output } = await run(command[0], [...command.slice(1), program], {
    cwd: home,
    timeoutMs: 180_000,
    env,
  });
  const lines = output.split("\n").filter((line) => line.startsWith('{"row":'));
  const reported = Object.fromEntries(
    lines.map((line) => {
      const { row, error } = JSON.parse(line);
      return [row, error === undefined ? { isFailed: false, text: "yes" } : failed(new Error(error))];
    }),
  );
  const missing = failed(new Error(`no result, the program ended with ${status}: ${lastLines(output)}`));
  return Object.fromEntries(PACKAGE_ROWS.map((row) => [row, reported[row] ?? missing]));
}

const passed = (sinceMs) => ({
  isFailed: false,
  text: `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`,
});
const failed = (error) => ({ isFailed: true, text: error.message });
