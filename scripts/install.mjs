// Brings a fresh checkout to where its own tools run: needs Node and npm, nothing else. Plain JavaScript, since it runs
// before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const LEAST_NODE = [20, 19];

/** Ends the process with one sentence where Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  console.error(`Stowage needs Node ${LEAST_NODE.join(".")} or newer, and this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs exactly what the lockfile says, unless that was done already. @param root the checkout's folder */
export function install(root) {
  const stamp = join(root, "node_modules", ".stowage-installed");
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "pnpm-lock.yaml")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  console.log("Installing (once for each version of the lockfile) …");
  // -y: npx would ask before it fetches the package manager, and nobody may be there to answer.
  const status = run(
    root,
    "npx",
    ["-y", packageManager, "install", "--frozen-lockfile", "--reporter=append-only"],
    { quiet: true },
  );
  if (status !== 0) {
    console.error(
      "The installation failed: the lines above say why. Run the same command again when that is mended.",
    );
    process.exit(status);
  }
  writeFileSync(stamp, wanted);
}

/**
 * Runs one of the project's own tools to its end. @returns its exit code
 *
 * @param options.quiet shows its output only when it fails
 */
export function run(root, command, args, options = {}) {
  const env = {
    ...process.env,
    // turbo calls pnpm, which nobody need have installed.
    PATH: [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  };
  const result = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: options.quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (options.quiet && result.status !== 0)
    process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
  if (result.error) console.error(result.error.message);
  return result.status ?? 1;
}
