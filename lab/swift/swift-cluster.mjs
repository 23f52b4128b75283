// Starts a temporary OpenStack Swift on this machine: an account, a container and an object server with one device, memcached, and a proxy
// server with s3api. All listen on 127.0.0.1 and are children of this process. Swift itself needs /etc/swift/swift.conf of its package.
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { installDebianPackages } from "../../scripts/debian-packages.mjs";
import { end, freePort, until } from "../run-daemons.mjs";

const PACKAGES = ["swift-proxy", "swift-account", "swift-container", "swift-object", "memcached"];
const RINGS = ["account", "container", "object"];

/** Installs Debian's Swift packages if they are missing. Without root it fails and names the packages. */
export function installSwift() {
  installDebianPackages(PACKAGES);
}

/**
 * @param {{corsOrigin: string}} options the origin whose pages may send a preflight
 * @returns {Promise<{endpoint: string, accessKeyId: string, secretAccessKey: string, createContainer: (name: string, headers: Record<string, string>) => Promise<string>, stop: () => Promise<void>}>}
 * `createContainer` answers the address by which Swift's own API serves the container
 */
export async function startSwift(options) {
  const dir = mkdtempSync(join(tmpdir(), "swift-"));
  const daemons = [];
  const stop = async () => {
    for (const daemon of daemons.toReversed()) await end(daemon);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    return { ...(await build(dir, daemons, options)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(dir, daemons, { corsOrigin }) {
  const secretAccessKey = randomBytes(20).toString("hex");
  const start = (program, args) => {
    const log = openSync(join(dir, `${program}.log`), "a");
    const child = spawn(program, args, { stdio: ["ignore", log, log], env: { PATH: process.env.PATH } });
    daemons.push(child);
    return child;
  };
  const ring = (name, ...args) =>
    promisify(execFile)("swift-ring-builder", [join(dir, `${name}.builder`), ...args], { timeout: 30_000 });

  mkdirSync(join(dir, "devices", "one"), { recursive: true });
  const memcached = await freePort();
  start("memcached", ["-l", "127.0.0.1", "-p", String(memcached), "-u", userInfo().username]);
  for (const name of RINGS) {
    const port = await freePort();
    await ring(name, "create", "8", "1", "1");
    await ring(name, "add", `r1z1-127.0.0.1:${port}/one`, "1");
    await ring(name, "rebalance");
    const conf = join(dir, `${name}-server.conf`);
    writeFileSync(conf, serverConfiguration({ dir, name, port }));
    start(`swift-${name}-server`, [conf]);
  }
  const port = await freePort();
  const conf = join(dir, "proxy-server.conf");
  writeFileSync(conf, proxyConfiguration({ dir, port, memcached, secretAccessKey, corsOrigin }));
  start("swift-proxy-server", [conf]);

  const endpoint = `http://127.0.0.1:${port}`;
  const ask = async (url, init) => {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response;
  };
  await until("the proxy server answers", () => ask(`${endpoint}/healthcheck`));
  const createContainer = async (name, headers) => {
    const user = { "X-Auth-User": "test:tester", "X-Auth-Key": secretAccessKey };
    const session = (await ask(`${endpoint}/auth/v1.0`, { headers: user })).headers;
    const url = `${session.get("x-storage-url")}/${name}`;
    const token = { "X-Auth-Token": session.get("x-auth-token") };
    await ask(url, { method: "PUT", headers: { ...token, ...headers } });
    return url;
  };
  return { endpoint, accessKeyId: "test:tester", secretAccessKey, createContainer };
}

const common = (dir, port) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${dir}
user = ${userInfo().username}
log_level = WARNING
`;

const serverConfiguration = ({ dir, name, port }) => `${common(dir, port)}
workers = 1
devices = ${dir}/devices
mount_check = false
recon_cache_path = ${dir}

[pipeline:main]
pipeline = healthcheck ${name}-server

[app:${name}-server]
use = egg:swift#${name}

[filter:healthcheck]
use = egg:swift#healthcheck
`;

/** The pipeline of Swift's documentation for s3api: https://docs.openstack.org/swift/latest/middleware.html */
const proxyConfiguration = ({ dir, port, memcached, secretAccessKey, corsOrigin }) => `${common(dir, port)}
workers = 2

[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server

[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true

[filter:s3api]
use = egg:swift#s3api
location = us-east-1
cors_preflight_allow_origin = ${corsOrigin}

[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${secretAccessKey} .admin

[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}

${[
  "catch_errors",
  "gatekeeper",
  "healthcheck",
  "listing_formats",
  "bulk",
  "copy",
  "slo",
  "dlo",
  "versioned_writes",
  "symlink",
]
  .map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`)
  .join("\n")}`;
