import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@stowage/dev-postgres";
import { aDebianServer } from "@stowage/service/test/fixtures/a-debian-server.js";

/** A proxy from Debian with its files of `deploy/`, on two free ports of this machine, without TLS. */
export interface Edge {
  serviceUrl: string;
  storageUrl: string;
  log(): string;
  close(): Promise<void>;
}

export interface EdgeKind {
  name: string;
  /** Keeps files of storage. */
  isCache?: boolean;
  /** Sends requests to one replica only. */
  isSingle?: boolean;
  /** In `deploy/NAME/`. */
  files: string[];
  program: string;
  args(place: Place): string[];
  /** What the machine of a customer has anyway, such as paths. Each file gets the text before its own. */
  before?(place: Place): Record<string, string>;
  prepare?(place: Place): Promise<void>;
}

interface Place {
  dir: string;
  ports: [service: number, storage: number];
}

const APACHE_MODULES =
  "mpm_event authz_core headers slotmem_shm proxy proxy_http proxy_balancer proxy_hcheck lbmethod_byrequests";

export const edgeKinds: EdgeKind[] = [
  {
    name: "caddy",
    files: ["Caddyfile"],
    program: "caddy",
    args: ({ dir }) => ["run", "--adapter", "caddyfile", "--config", join(dir, "Caddyfile")],
    before: () => ({ Caddyfile: "{\n\tadmin off\n}\n" }),
  },
  {
    name: "apache",
    files: ["stowage.conf"],
    program: "apache2",
    args: ({ dir }) => ["-d", dir, "-f", join(dir, "stowage.conf"), "-DFOREGROUND"],
    before: ({ dir }) => ({
      "stowage.conf": [
        `ServerName edge\nPidFile ${dir}/pid\nErrorLog ${dir}/error.log\nDefaultRuntimeDir ${dir}`,
        ...(process.getuid?.() === 0 ? ["User www-data\nGroup www-data"] : []),
        ...APACHE_MODULES.split(" ").map(
          (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
        ),
        "",
      ].join("\n"),
    }),
  },
  {
    name: "lighttpd",
    files: ["stowage.conf"],
    program: "lighttpd",
    args: ({ dir }) => ["-D", "-f", join(dir, "stowage.conf")],
    before: ({ dir }) => ({ "stowage.conf": `server.upload-dirs = ( "${dir}" )\n` }),
  },
  {
    name: "varnish",
    isCache: true,
    files: ["stowage.vcl"],
    program: "varnishd",
    args: ({ dir, ports: [service, storage] }) =>
      `-F -j none -n ${dir}/work -f ${dir}/stowage.vcl -s malloc,256m -a service=127.0.0.1:${service} -a storage=127.0.0.1:${storage}`.split(
        " ",
      ),
  },
  {
    name: "squid",
    isCache: true,
    files: ["squid.conf"],
    program: "squid",
    // The name keeps its shared memory apart from that of another Squid.
    args: ({ dir, ports }) => ["-N", "-n", `edge${ports[0]}`, "-f", join(dir, "squid.conf")],
    before: ({ dir }) => ({
      "squid.conf": [
        `pid_filename ${dir}/pid\ncache_log ${dir}/cache.log\naccess_log none\nnetdb_filename none\ncoredump_dir ${dir}`,
        "pinger_enable off\nvisible_hostname edge\nshutdown_lifetime 0 seconds",
        "",
      ].join("\n"),
    }),
  },
  {
    name: "h2o",
    isSingle: true,
    files: ["h2o.conf"],
    program: "h2o",
    args: ({ dir }) => ["-c", join(dir, "h2o.conf")],
    before: () => ({ "h2o.conf": process.getuid?.() === 0 ? "user: root\n" : "" }),
  },
  {
    name: "trafficserver",
    isCache: true,
    isSingle: true,
    files: ["records.config", "remap.config"],
    program: "traffic_server",
    args: ({ dir }) => [`--run-root=${dir}/runroot.yaml`],
    // It does not run as root.
    before: () => ({ "records.config": "CONFIG proxy.config.admin.user_id STRING trafficserver\n" }),
    prepare: prepareTrafficServer,
  },
];

/** Traffic Server reads everything below one folder. */
async function prepareTrafficServer({ dir }: Place): Promise<void> {
  const etc = join(dir, "etc");
  await cp("/etc/trafficserver", etc, { recursive: true, dereference: true });
  for (const name of ["records.config", "remap.config"]) await cp(join(dir, name), join(etc, name));
  await writeFile(join(etc, "storage.config"), `${dir}/cache 256M\n`);
  for (const name of ["cache", "log", "run"]) await mkdir(join(dir, name));
  const paths = {
    prefix: dir,
    exec_prefix: dir,
    bindir: "/usr/bin",
    sbindir: "/usr/sbin",
    libdir: "/usr/lib",
    libexecdir: "/usr/lib/trafficserver/modules",
    sysconfdir: etc,
    datadir: dir,
    includedir: dir,
    localstatedir: dir,
    runtimedir: join(dir, "run"),
    logdir: join(dir, "log"),
    cachedir: join(dir, "cache"),
  };
  const lines = Object.entries(paths).map(([name, path]) => `${name}: ${path}`);
  await writeFile(join(dir, "runroot.yaml"), `${lines.join("\n")}\n`);
}

async function makeWritable(dir: string): Promise<void> {
  await chmod(dir, 0o777);
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o777 : 0o666);
}

const DEPLOY = new URL("../../deploy/", import.meta.url);

/**
 * Starts a proxy with its files of `deploy/`. Only addresses, ports and paths are others.
 *
 * @param upstreams host and port of two replicas, and of storage
 */
export async function anEdge(
  kind: EdgeKind,
  [replica1, replica2, storage]: [replica1: string, replica2: string, storage: string],
): Promise<Edge> {
  const dir = await mkdtemp(join(tmpdir(), `stowage-${kind.name}-`));
  const ports: Place["ports"] = [await freePort(), await freePort()];
  const place = { dir, ports };
  const before = kind.before?.(place) ?? {};
  for (const name of kind.files) {
    const deployed = await readFile(new URL(`${kind.name}/${name}`, DEPLOY), "utf8");
    const text = [replica1, replica2, storage]
      .reduce(
        (from, address, at) => {
          const [host, port] = address.split(":");
          const original = new RegExp(`10\\.0\\.0\\.${["11", "12", "31"][at]}(\\D+?)(?:4000|9000)`, "g");
          return from.replaceAll(original, `${host}$1${port}`);
        },
        deployed.replaceAll(/\b\w+\.example\.com/g, "127.0.0.1"),
      )
      .replaceAll(/\b8080\b/g, String(ports[0]))
      .replaceAll(/\b8081\b/g, String(ports[1]));
    await writeFile(join(dir, name), (before[name] ?? "") + text);
  }
  await kind.prepare?.(place);
  // Most of them leave root for a user of their own.
  await makeWritable(dir);
  const server = await aDebianServer({
    program: kind.program,
    args: kind.args(place),
    port: ports[0],
    cwd: dir,
  });
  return {
    serviceUrl: `http://127.0.0.1:${ports[0]}`,
    storageUrl: `http://127.0.0.1:${ports[1]}`,
    log: server.log,
    async close() {
      await server.end("SIGTERM");
      await rm(dir, { recursive: true, force: true });
    },
  };
}
