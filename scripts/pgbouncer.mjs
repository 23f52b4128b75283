// Finds or installs Debian's pgbouncer, which is not in npm.
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const APT_TIMEOUT_MS = 180_000;

/** Whether pgbouncer is installed. On a CI machine that may install Debian's packages, tries to install it first. */
export function hasPgbouncer() {
  if (isOnPath("pgbouncer")) return true;
  if (!mayInstall()) return false;
  try {
    installPgbouncer();
    return true;
  } catch (error) {
    console.log(`pgbouncer could not be installed: ${error.message}`);
    return false;
  }
}

/** Installs Debian's pgbouncer if it is missing. @throws {Error} if it cannot be installed */
export function installPgbouncer() {
  if (isOnPath("pgbouncer")) return;
  if (process.getuid?.() !== 0) throw new Error("Install the Debian package pgbouncer first.");
  console.log("Installing pgbouncer …");
  // RUNLEVEL keeps the package from starting its service.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const options = { env, stdio: "inherit", timeout: APT_TIMEOUT_MS };
  execFileSync("apt-get", ["update", "-qq"], options);
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "pgbouncer"], options);
}

function mayInstall() {
  return Boolean(process.env.CI) && process.getuid?.() === 0 && isOnPath("apt-get");
}

function isOnPath(program) {
  // Debian installs servers where only root looks for programs.
  return [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"].some((dir) => {
    try {
      accessSync(join(dir, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
