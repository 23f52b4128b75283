import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../measure/statistics.js";
import { Connection } from "./connection.js";
import type { Answered, Load } from "./load.js";

/** Sends requests until the time is over, then waits for the last answers. */
export async function runLoad(load: Load): Promise<Answered> {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => Connection.open(load.port)),
  );
  const next = requestsOf(load);
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  const ask = async (connection: Connection, dueAt: number) => {
    const status = await connection.send(next());
    times.push(performance.now() - dueAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
    return status;
  };
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  const due = load.perSecond === undefined ? null : schedule(startedAt, load.perSecond);
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < endsAt) {
        const dueAt = due === null ? performance.now() : due();
        if (dueAt >= endsAt) break;
        if (dueAt > performance.now()) await sleep(dueAt - performance.now());
        if ((await ask(connection, dueAt)) === 0) break;
      }
      connection.close();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    requests: times.length,
    statuses,
    seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

/** Returns evenly spread due times, each once. */
function schedule(startedAt: number, perSecond: number): () => number {
  let given = 0;
  return () => startedAt + (given++ * 1000) / perSecond;
}

/** Whole requests as text, prepared except for their number and key. */
function requestsOf({
  method = "POST",
  path,
  headers,
  keys = [""],
  body,
  numbers,
  port,
}: Load): () => string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join("")}`;
  const heads = keys.map((key) => head.replaceAll("{key}", key));
  let sent = 0;
  if (method === "GET") return () => `${heads[sent++ % heads.length]}\r\n`;
  return () => {
    const text = body.replaceAll("{n}", String(sent % numbers));
    return `${heads[sent++ % heads.length]}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  };
}
