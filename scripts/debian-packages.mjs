import { execFileSync } from "node:child_process";

/** Installs the packages that are missing. Without root it fails and names them. */
export function installDebianPackages(names) {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  if (process.getuid() !== 0) throw new Error(`Install these Debian packages first: ${missing.join(" ")}`);
  console.log(`Installing ${missing.join(", ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  execFileSync("apt-get", ["update", "-qq"], { env, stdio: "inherit" });
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing], {
    env,
    stdio: "inherit",
  });
}

function isInstalled(name) {
  try {
    return execFileSync("dpkg-query", ["-W", "-f", "${Status}", name], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).endsWith(" installed");
  } catch {
    return false;
  }
}
