// Finds and installs Debian's packages: real servers and clients that are not in npm.
import { execFileSync } from "node:child_process";

const APT_TIMEOUT_MS = 300_000;

/**
 * The workspaces with tests that need Debian's packages (`*.debian.ts`), and these packages. CI does not install a suite's
 * packages if `isLarge`: docs/decisions/0027-three-browsers.md.
 */
export const debianSuites = [
  {
    dir: "apps/service",
    name: "@stowage/service",
    packages: [
      "pgbouncer",
      "pgpool2",
      "redis-server",
      "nginx",
      "caddy",
      "apache2",
      "squid",
      "iproute2",
      "haproxy",
      "python3",
      "curl",
      "jq",
      "clamav-daemon",
      "ffmpeg",
      "prometheus",
      "golang-go",
      "golang-github-masterminds-sprig-dev",
      "golang-github-xeipuuv-gojsonschema-dev",
      "golang-k8s-sigs-yaml-dev",
    ],
  },
  { dir: "packages/dev-store", name: "@stowage/dev-store", packages: ["awscli", "rclone", "s3cmd"] },
  {
    dir: "e2e",
    name: "@stowage/e2e",
    packages: ["firefox-esr", "webkit2gtk-driver", "xvfb"],
    isLarge: true,
  },
];

/** Installs the packages that are missing. @throws {Error} if that is not possible; it names them */
export function installDebianPackages(names) {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`Install these Debian packages first: ${missing.join(" ")}`);
  console.log(`Installing ${missing.join(", ")} …`);
  // RUNLEVEL keeps the packages from starting their services.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const options = { env, stdio: "inherit", timeout: APT_TIMEOUT_MS };
  execFileSync("apt-get", ["update", "-qq"], options);
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing], options);
}

/** Returns the suites that can run: their packages are installed, or CI may install them now. */
export function runnableDebianSuites() {
  const hasAll = ({ packages }) => packages.every(isInstalled);
  const small = debianSuites.filter(({ isLarge }) => !isLarge);
  if (process.env.CI && process.getuid?.() === 0 && !small.every(hasAll)) {
    try {
      installDebianPackages(small.flatMap(({ packages }) => packages));
    } catch (error) {
      console.log(`Debian's packages could not be installed: ${error.message}`);
    }
  }
  return debianSuites.filter(hasAll);
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
