// Builds the container image without a container engine: by buildah from Debian, on a base that is made here under the name of the
// official one, because no image registry is needed this way.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The base that the Dockerfile names by default, and the npm packages that have the same Node.js and an npm. */
const BASE = "docker.io/library/node:24-bookworm-slim";
const NODE_PACKAGE = `node-linux-${process.arch}@24`;
const NPM_PACKAGE = "npm@11";
const IMAGE = "localhost/stowage:test";

const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
/** The build trusts the certificate authorities of this machine, as its own npm does. A registry may be behind a proxy. */
const NPM_SETTINGS = `cafile=${CERTIFICATES}\nupdate-notifier=false\n`;

/** The Debian packages that {@link buildImage} needs. */
export const IMAGE_PACKAGES = ["buildah", "mmdebstrap"];

/**
 * Builds the image from the Dockerfile. Needs root.
 *
 * @param root the checkout's folder
 * @returns {{rootDir: string, config: object, id: string, size: string, baseSize: string, buildSeconds: number, remove: () => void}} its
 * unpacked files, its configuration in Docker's format, its ID, its size, the size of the base in it, and the time that the build took
 */
export function buildImage(root) {
  const dir = mkdtempSync(join(tmpdir(), "stowage-image-"));
  const storage = ["--storage-driver", "vfs", "--root", join(dir, "storage"), "--runroot", join(dir, "run")];
  const buildah = (command, ...args) =>
    execFileSync("buildah", [...storage, command, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }).trim();
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    importBase(buildah, makeBase(root));
    writeFileSync(join(dir, "npmrc"), NPM_SETTINGS);
    const startedAt = Date.now();
    // prettier-ignore
    const args = ["--isolation", "chroot", "--pull=never", "--format", "docker", "--tag", IMAGE, "--timestamp", commitTime(root), "--secret", `id=npmrc,src=${join(dir, "npmrc")}`];
    const built = spawnSync("buildah", [...storage, "build", ...args, root], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (built.status !== 0) throw new Error("The image could not be built.");
    const buildSeconds = Math.round((Date.now() - startedAt) / 1000);
    const container = buildah("from", "--pull=never", IMAGE);
    const { Docker: docker, FromImageID: id } = JSON.parse(buildah("inspect", "--type", "image", IMAGE));
    const sizeOf = (name) => JSON.parse(buildah("images", "--json", name))[0].size;
    const [size, baseSize] = [sizeOf(IMAGE), sizeOf(BASE)];
    return {
      rootDir: buildah("mount", container),
      config: docker.config,
      id,
      size,
      baseSize,
      buildSeconds,
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** All files of the image get this time, so that the same commit gives the same image. */
function commitTime(root) {
  return execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }).trim();
}

/** Makes the files of the base: Debian with Node.js and npm. Kept for the next run. @returns its folder */
function makeBase(root) {
  const cache = join(root, "node_modules", ".cache", "stowage-image");
  const base = join(cache, "base");
  if (existsSync(base)) return base;
  console.log("Making the base image …");
  const work = join(cache, "unfinished");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd: cache, stdio: ["ignore", "pipe", "inherit"] });
  run("mmdebstrap", "--quiet", "--variant=minbase", "--format=directory", "bookworm", work);
  const local = join(work, "usr", "local");
  const unpack = (name, target) => {
    const tarball = join(cache, run("npm", "pack", "--silent", name).toString().trim());
    mkdirSync(target, { recursive: true });
    run("tar", "xzf", tarball, "--strip-components=1", "-C", target);
    rmSync(tarball);
  };
  unpack(NODE_PACKAGE, join(cache, "node"));
  cpSync(join(cache, "node", "bin", "node"), join(local, "bin", "node"));
  rmSync(join(cache, "node"), { recursive: true });
  unpack(NPM_PACKAGE, join(local, "lib", "node_modules", "npm"));
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name));
  mkdirSync(join(work, dirname(CERTIFICATES)), { recursive: true });
  copyFileSync(CERTIFICATES, join(work, CERTIFICATES));
  renameSync(work, base);
  return base;
}

function importBase(buildah, base) {
  const container = buildah("from", "scratch");
  buildah("add", "--quiet", container, base, "/");
  buildah(
    "config",
    "--env",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "--cmd",
    "node",
    container,
  );
  buildah("commit", "--quiet", "--rm", container, BASE);
}
