// Starts a temporary Ceph cluster on this machine: one monitor, one object store in memory and one S3 gateway. All listen
// on 127.0.0.1 and are children of this process.
import { execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { installDebianPackages } from "../../scripts/debian-packages.mjs";
import { end, freePort, until } from "../run-daemons.mjs";

const PACKAGES = ["ceph-mon", "ceph-osd", "ceph-common", "radosgw"];
const STORE_BYTES = 4 * 1024 ** 3;

/** Installs Debian's Ceph packages if they are missing. Without root it fails and names the packages. */
export function installCeph() {
  installDebianPackages(PACKAGES);
}

/**
 * The keys are of the user who owns the buckets. `limitedUser` may do nothing until a bucket policy allows it, but assume the role
 * `arn:aws:iam:::role/stowage`, which may do everything.
 *
 * @returns {Promise<{endpoint: string, accessKeyId: string, secretAccessKey: string, limitedUser: {uid: string, accessKeyId: string, secretAccessKey: string}, stop: () => Promise<void>}>}
 */
export async function startCeph() {
  // The path is short, because a unix socket path may have at most 107 characters.
  const dir = mkdtempSync(join(tmpdir(), "rgw-"));
  const daemons = [];
  const stop = async () => {
    for (const daemon of daemons.toReversed()) await end(daemon);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    return { ...(await build(dir, daemons)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(dir, daemons) {
  const fsid = randomUUID();
  const osd = randomUUID();
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()];
  const monitor = `[v2:127.0.0.1:${monitorPort}]`;
  const conf = join(dir, "ceph.conf");
  for (const name of ["mon", "osd", "log", "run"]) mkdirSync(join(dir, name));
  writeFileSync(conf, configuration({ dir, fsid, monitor, gatewayPort }));

  const tool = (program, args, timeout = 30_000) =>
    promisify(execFile)(program, ["-c", conf, ...args], { timeout, env: { PATH: process.env.PATH } });
  const daemon = (program, args) => {
    const log = openSync(join(dir, "log", `${program}.out`), "a");
    const child = spawn(program, ["-c", conf, "-f", ...args], {
      stdio: ["ignore", log, log],
      env: { PATH: process.env.PATH },
    });
    daemons.push(child);
    return child;
  };

  const map = join(dir, "monmap");
  await promisify(execFile)("monmaptool", ["--create", "--fsid", fsid, "--addv", "a", monitor, map]);
  await tool("ceph-mon", ["--mkfs", "-i", "a", "--monmap", map]);
  daemon("ceph-mon", ["-i", "a"]);
  await until("the monitor answers", () => tool("ceph", ["--connect-timeout", "5", "status"]));
  await tool("ceph", ["osd", "new", osd, "0"]);
  await tool("ceph-osd", ["-i", "0", "--mkfs", "--osd-uuid", osd]);
  daemon("ceph-osd", ["-i", "0"]);
  await until("the object store is up", async () => {
    const { stdout } = await tool("ceph", ["osd", "stat", "-f", "json"]);
    if (JSON.parse(stdout).num_up_osds !== 1) throw new Error("not yet");
  });
  daemon("radosgw", ["-n", "client.rgw.local"]);
  const endpoint = `http://127.0.0.1:${gatewayPort}`;
  await until("the gateway answers", async () => {
    const response = await fetch(endpoint, { signal: AbortSignal.timeout(2000) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
  });
  const addUser = async (uid) => {
    const keys = {
      accessKeyId: `ceph${randomBytes(8).toString("hex")}`,
      secretAccessKey: randomBytes(20).toString("hex"),
    };
    const names = ["--uid", uid, "--display-name", uid];
    const secrets = ["--access-key", keys.accessKeyId, "--secret-key", keys.secretAccessKey];
    await tool("radosgw-admin", ["-n", "client.rgw.local", "user", "create", ...names, ...secrets], 120_000);
    return keys;
  };
  const owner = await addUser("stowage");
  const limitedUser = { uid: "limited", ...(await addUser("limited")) };
  const admin = (...args) => tool("radosgw-admin", ["-n", "client.rgw.local", ...args], 120_000);
  const allow = (statement) =>
    JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", ...statement }] });
  const mayAssume = { Principal: { AWS: ["arn:aws:iam:::user/limited"] }, Action: ["sts:AssumeRole"] };
  const role = ["--role-name", "stowage"];
  await admin("role", "create", ...role, "--path", "/", "--assume-role-policy-doc", allow(mayAssume));
  const mayAll = allow({ Action: ["s3:*"], Resource: ["arn:aws:s3:::*"] });
  await admin("role-policy", "put", ...role, "--policy-name", "all", "--policy-doc", mayAll);
  return { endpoint, ...owner, limitedUser };
}

function configuration({ dir, fsid, monitor, gatewayPort }) {
  return `[global]
fsid = ${fsid}
mon_host = ${monitor}
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_ipv6 = false
# Only this machine can reach the cluster, so its daemons do not authenticate. S3 requests are still signed.
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = ${dir}/run
admin_socket = ${dir}/run/$name.asok
pid_file = ${dir}/run/$name.pid
log_file = ${dir}/log/$name.log
crash_dir = ${dir}
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
rgw_rados_pool_pg_num_min = 8
rgw_dynamic_resharding = false

[mon]
mon_data = ${dir}/mon
mon_data_avail_warn = 1
mon_data_avail_crit = 1

[osd]
osd_data = ${dir}/osd
osd_objectstore = memstore
memstore_device_bytes = ${STORE_BYTES}

[client.rgw.local]
rgw_data = ${dir}
# The gateway's default is an encrypted link to the monitor, which needs the authentication switched off above.
ms_mon_client_mode = crc
rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort}
# The bucket may be in the host: BUCKET.localhost.
rgw_dns_name = localhost
rgw_s3_auth_use_sts = true
rgw_sts_key = ${randomBytes(8).toString("hex")}
rgw_crypt_require_ssl = false
rgw_crypt_s3_kms_backend = testing
rgw_crypt_s3_kms_encryption_keys = testing=${randomBytes(32).toString("base64")}
${process.env.CEPH_ENCRYPTED ? encryption() : ""}`;
}

/** Ceph then encrypts every object, with a key of its own for each. */
const encryption = () => `rgw_crypt_default_encryption_key = ${randomBytes(32).toString("base64")}
`;
