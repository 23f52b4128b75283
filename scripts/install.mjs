// Installs the dependencies of a fresh checkout with Node and npm only. Plain JavaScript, because it runs before anything is
// installed.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

export { requireNode } from "../packages/stowage/bin/require-node.mjs";

/** Installs the versions of the lockfile, unless they are installed already. @param root the checkout's folder */
export function install(root) {
  const stamp = join(root, "node_modules", ".stowage-installed");
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "pnpm-lock.yaml")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  console.log("Installing dependencies (only after the lockfile has changed) …");
  // Without -y, npx asks before it downloads the package manager.
  const status = run(
    root,
    "npx",
    ["-y", packageManager, "install", "--frozen-lockfile", "--reporter=append-only"],
    { quiet: true },
  );
  if (status !== 0) {
    console.error(
      "The installation failed. The lines above say why. Run the same command again after you have fixed it.",
    );
    process.exit(status);
  }
  writeFileSync(stamp, wanted);
}

/**
 * Runs a tool of the project and waits for it. @returns its exit code
 *
 * @param options.quiet prints its output only if it fails
 * @param options.timeoutMs ends it after this time. @default never
 */
export function run(root, command, args, options = {}) {
  const result = spawnSync(command, args, {
    ...toolOptions(root),
    stdio: options.quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    timeout: options.timeoutMs,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (options.quiet && result.status !== 0)
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
  if (result.error) console.error(result.error.message);
  return result.status ?? 1;
}

/** The same while this process does other things, and always with its output. */
export async function runBeside(root, command, args) {
  const child = spawn(command, args, { ...toolOptions(root), stdio: ["ignore", "inherit", "inherit"] });
  const [status] = await once(child, "close").catch((error) => [console.error(error.message)]);
  return status ?? 1;
}

function toolOptions(root) {
  const env = {
    ...process.env,
    // turbo calls pnpm, which is only installed here.
    PATH: [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  };
  return { cwd: root, env, shell: process.platform === "win32" };
}
