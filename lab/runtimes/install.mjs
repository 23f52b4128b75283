// Packs our packages and installs packages of npm into a folder of their own.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
const LIBRARIES = ["schemas", "server", "client", "react", "element"];
const BUILD_MS = 1_200_000;
const INSTALL_MS = 600_000;

/**
 * Runs a program to its end.
 *
 * @returns its exit status (null: it was stopped after `timeoutMs`) and what it printed
 */
export function run(command, args, { cwd, timeoutMs, env = {} }) {
  const path = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  const options = {
    cwd,
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 28,
    env: { ...process.env, PATH: path, ...env },
  };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ status, output: `${stdout}${stderr}` });
    });
  });
}

/** @throws {Error} with the output if the program fails */
async function runOrThrow(command, args, options) {
  const { status, output } = await run(command, args, options);
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${lastLines(output)}`);
  return output;
}

/** Builds the libraries and packs them as `pnpm publish` would. @returns dependencies by the packages' names */
export async function packPackages(folder, { skipBuild = false }) {
  if (!skipBuild) {
    const filters = ["local", ...LIBRARIES].map((name) => `--filter=@stowage/${name}`);
    const build = ["run", "build", ...filters, "--output-logs=errors-only"];
    await runOrThrow("turbo", build, { cwd: root, timeoutMs: BUILD_MS });
  }
  const packed = {};
  for (const name of LIBRARIES) {
    const tarball = join(folder, `${name}.tgz`);
    await runOrThrow("pnpm", ["pack", "--out", tarball], {
      cwd: join(root, "packages", name),
      timeoutMs: 120_000,
    });
    packed[`@stowage/${name}`] = `file:${tarball}`;
  }
  return packed;
}

/** Installs dependencies with npm. @returns the folder */
export async function install(cwd, dependencies, manifest = {}) {
  mkdirSync(cwd, { recursive: true });
  writeManifest(cwd, { name: "customer", private: true, type: "module", dependencies, ...manifest });
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await runOrThrow("npm", ["install", ...options], { cwd, timeoutMs: INSTALL_MS });
  return cwd;
}

function writeManifest(cwd, manifest) {
  writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
}

export function versionOf(cwd, name) {
  return JSON.parse(readFileSync(join(cwd, "node_modules", name, "package.json"), "utf8")).version;
}

export function lastLines(output, count = 12) {
  return output.trimEnd().split("\n").slice(-count).join("\n");
}
