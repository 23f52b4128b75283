import { readFile } from "node:fs/promises";
import { connect } from "./connect.js";
import { cpuSecondsOf } from "./cpu-time.js";

/** The servers of a database: one, or all nodes of Citus. They must run on this machine, and the user must be a superuser. */
export interface DatabaseServers {
  /** The CPU seconds that their processes have used, without those that have ended. Only on Linux. */
  cpuSeconds(): Promise<number>;
}

export async function findServers(databaseUrl: string): Promise<DatabaseServers> {
  const pids = await Promise.all([databaseUrl, ...(await workersOf(databaseUrl))].map(findPostmaster));
  return {
    async cpuSeconds() {
      const seconds = await Promise.all(pids.map(cpuSecondsOfServer));
      return seconds.reduce((sum, each) => sum + each, 0);
    },
  };
}

/** The URLs of the worker nodes of Citus. */
async function workersOf(databaseUrl: string): Promise<string[]> {
  const sql = connect(databaseUrl);
  try {
    const [found] = await sql`select exists (select from pg_extension where extname = 'citus') as citus`;
    if (!found!["citus"]) return [];
    const nodes = await sql<{ nodename: string; nodeport: number }[]>`
      select nodename, nodeport from pg_dist_node where groupid > 0`;
    return nodes.map(({ nodename, nodeport }) => {
      const url = new URL(databaseUrl);
      url.hostname = nodename;
      url.port = String(nodeport);
      return url.href;
    });
  } finally {
    await sql.end();
  }
}

async function findPostmaster(databaseUrl: string): Promise<number> {
  const sql = connect(databaseUrl);
  try {
    const [row] = await sql<{ file: string }[]>`select pg_read_file('postmaster.pid') as file`;
    return Number(row!.file.split("\n")[0]);
  } finally {
    await sql.end();
  }
}

async function cpuSecondsOfServer(postmaster: number): Promise<number> {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  const pids = [postmaster, ...children.split(" ").filter(Boolean).map(Number)];
  // A process that ends meanwhile does not count.
  const seconds = await Promise.all(pids.map((pid) => cpuSecondsOf(pid).catch(() => 0)));
  return seconds.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}
