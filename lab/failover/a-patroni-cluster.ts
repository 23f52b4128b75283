import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@stowage/dev-postgres";
import postgres from "postgres";
import { expect } from "vitest";
import { aDebianServer, type DebianServer } from "@stowage/service/test/fixtures/a-debian-server.js";

/** Two PostgreSQL servers under Patroni, with etcd, and HAProxy in front: the files of `deploy/`, with other addresses. */
export interface PatroniCluster {
  /** An empty database on the primary, through HAProxy. */
  url: string;
  primary(): Promise<PatroniNode>;
  standby(): Promise<PatroniNode>;
  /** Waits until there is one primary and one synchronous standby. */
  isWhole(): Promise<void>;
  /** Makes the standby the primary, as an operator does for maintenance. */
  switchOver(): Promise<void>;
  close(): Promise<void>;
}

export interface PatroniNode {
  name: string;
  /** Kills Patroni and PostgreSQL, as a crash of the machine would. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

interface Member {
  name: string;
  role: string;
  state: string;
}

const DEPLOY = new URL("../../deploy/", import.meta.url);
const START_MS = 90_000;
const PASSWORD = "secret-of-the-superuser";

export async function aPatroniCluster(): Promise<PatroniCluster> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-patroni-"));
  const user = postgresUser();
  await chown(dir, user.uid, user.gid);
  const ends: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  const close = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const etcdPort = await startEtcd(join(dir, "etcd"), ends);
    const ports = [await freePort(), await freePort()];
    const restPorts = [await freePort(), await freePort()];
    const nodes: PatroniNode[] = [];
    for (const [index, name] of ["db1", "db2"].entries()) {
      const addresses = { etcd: etcdPort, rest: restPorts[index]!, database: ports[index]! };
      nodes.push(await startNode(name, join(dir, name), { addresses, user, ends }));
      if (index === 0) await until(async () => (await members(restPorts)).some(isPrimary));
    }
    const isWhole = () =>
      until(async () => {
        const found = await members(restPorts);
        return found.some(isPrimary) && found.some(({ role }) => role === "sync_standby");
      });
    await isWhole();
    const port = await startHaProxy(dir, { ports, restPorts, ends });
    const nodeWith = async (matches: (member: Member) => boolean) => {
      const found = (await members(restPorts)).find(matches);
      return nodes.find(({ name }) => name === found?.name)!;
    };
    return {
      url: await createDatabase(port),
      primary: () => nodeWith(isPrimary),
      standby: () => nodeWith((member) => !isPrimary(member)),
      isWhole,
      async switchOver() {
        const leader = (await nodeWith(isPrimary)).name;
        const answer = await fetch(`http://127.0.0.1:${restPorts[0]}/switchover`, {
          method: "POST",
          body: JSON.stringify({ leader }),
          signal: AbortSignal.timeout(START_MS),
        });
        if (!answer.ok) throw new Error(`the switchover was refused: ${await answer.text()}`);
        await until(async () => (await nodeWith(isPrimary))?.name !== leader);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Ends = (() => Promise<unknown>)[];

function postgresUser(): { uid: number; gid: number } {
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function startEtcd(dir: string, ends: Ends): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = ["--data-dir", dir, "--listen-client-urls", client, "--advertise-client-urls", client];
  const peers = [
    "--listen-peer-urls",
    peer,
    "--initial-advertise-peer-urls",
    peer,
    "--initial-cluster",
    `default=${peer}`,
  ];
  const etcd = await aDebianServer({ program: "etcd", args: [...args, ...peers], port });
  ends.push(() => etcd.end("SIGTERM"));
  return port;
}

async function startNode(
  name: string,
  dir: string,
  options: {
    addresses: { etcd: number; rest: number; database: number };
    user: { uid: number; gid: number };
    ends: Ends;
  },
): Promise<PatroniNode> {
  const { addresses, user, ends } = options;
  const data = join(dir, "data");
  await mkdir(dir);
  await chown(dir, user.uid, user.gid);
  const deployed = await readFile(new URL("patroni/patroni.yml", DEPLOY), "utf8");
  const text = deployed
    .replace("name: db1", `name: ${name}`)
    .replaceAll("10.0.0.51:8008", `127.0.0.1:${addresses.rest}`)
    .replaceAll("10.0.0.51:5432", `127.0.0.1:${addresses.database}`)
    .replace("10.0.0.61:2379", `127.0.0.1:${addresses.etcd}`)
    .replaceAll("10.0.0.0/24", "127.0.0.1/32")
    .replace("/var/lib/postgresql/15/stowage", data);
  if (text.includes("10.0.0.")) throw new Error("deploy/patroni/patroni.yml has an unknown address");
  const file = join(dir, "patroni.yml");
  // Debian's default folder for sockets belongs to the servers of the machine.
  await writeFile(file, `${text}  parameters:\n    unix_socket_directories: ${dir}\n`);
  let server: DebianServer;
  const start = async () => {
    server = await aDebianServer({
      program: "patroni",
      args: [file],
      port: addresses.rest,
      cwd: dir,
      ...user,
    });
  };
  const killPostgres = async () => {
    const pidFile = join(data, "postmaster.pid");
    if (!existsSync(pidFile)) return;
    const [pid] = (await readFile(pidFile, "utf8")).split("\n");
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch (error) {
      // It has already ended.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  const kill = async () => {
    await server.end("SIGKILL");
    await killPostgres();
  };
  await start();
  ends.push(kill);
  return { name, kill, start };
}

async function startHaProxy(
  dir: string,
  { ports, restPorts, ends }: { ports: number[]; restPorts: number[]; ends: Ends },
): Promise<number> {
  const port = await freePort();
  let text = (await readFile(new URL("haproxy/database.cfg", DEPLOY), "utf8")).replace(
    ":5432\n",
    `127.0.0.1:${port}\n`,
  );
  for (const index of [0, 1])
    text = text.replace(
      `10.0.0.5${index + 1}:5432 check port 8008`,
      `127.0.0.1:${ports[index]} check port ${restPorts[index]}`,
    );
  const file = join(dir, "haproxy.cfg");
  await writeFile(file, text);
  const server = await aDebianServer({ program: "haproxy", args: ["-db", "-f", file], port });
  ends.push(() => server.end("SIGTERM"));
  return port;
}

async function createDatabase(port: number): Promise<string> {
  const url = (database: string) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;
  // Until its first checks have ended, HAProxy also sends connections to the standby.
  await until(async () => {
    for (let connections = 0; connections < 4; connections++) {
      const [row] = await query<{ standby: boolean }>(
        url("postgres"),
        "select pg_is_in_recovery() as standby",
      );
      if (row!.standby) return false;
    }
    return true;
  });
  await query(url("postgres"), "create database stowage");
  return url("stowage");
}

/** Over a connection of its own. */
async function query<Row>(url: string, text: string): Promise<Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const rows = await sql.unsafe(text).finally(() => sql.end());
  return [...rows] as unknown as Row[];
}

const isPrimary = ({ role, state }: Member) => role === "leader" && state === "running";

/** What the first node that answers knows of the cluster. */
async function members(restPorts: number[]): Promise<Member[]> {
  for (const port of restPorts) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/cluster`, { signal: AbortSignal.timeout(5000) });
      return ((await answer.json()) as { members: Member[] }).members;
    } catch {
      // This node is down.
    }
  }
  return [];
}

async function until(check: () => Promise<boolean>): Promise<void> {
  await expect.poll(check, { timeout: START_MS, interval: 250 }).toBe(true);
}
