// Finds or installs Debian's pgbouncer, which is not in npm.
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether pgbouncer is installed, or this is a CI machine that may install Debian's packages. */
export function mayUsePgbouncer() {
  return isOnPath("pgbouncer") || mayInstall();
}

/** Installs Debian's pgbouncer if it is missing. @throws {Error} if it cannot be installed */
export function installPgbouncer() {
  if (isOnPath("pgbouncer")) return;
  if (process.getuid?.() !== 0) throw new Error("Install the Debian package pgbouncer first.");
  console.log("Installing pgbouncer …");
  // RUNLEVEL keeps the package from starting its service.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  execFileSync("apt-get", ["update", "-qq"], { env, stdio: "inherit" });
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "pgbouncer"], {
    env,
    stdio: "inherit",
  });
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
