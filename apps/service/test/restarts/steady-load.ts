import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Proxy } from "../fixtures/a-proxy.js";

/** Constant requests through a proxy, half of them uploads, which a proxy may not send twice. */
export interface SteadyLoad {
  /** How many requests were answered. */
  answered(): number;
  /** Ends the load. @returns how often each status was answered; 0: no answer */
  stop(): Promise<Record<string, number>>;
}

const WORKERS = 8;
const PAUSE_MS = 10;
const HANGS_MS = 10_000;

/** @param key the API key of a project */
export function startSteadyLoad({ url: proxyUrl, ca }: Pick<Proxy, "url" | "ca">, key: string): SteadyLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: WORKERS, ca });
  const statuses: Record<string, number> = {};
  let answered = 0;
  const stopping = new AbortController();

  const send = async (path: string, body?: object) => {
    const status = await statusOf(new URL(path, proxyUrl), agent, key, body).catch(() => 0);
    statuses[status] = (statuses[status] ?? 0) + 1;
    answered++;
  };
  const work = async (worker: number) => {
    while (!stopping.signal.aborted) {
      await send("/api/storage/upload/", { tenant_id: `t${worker}`, filename: "a.txt", size: 1 });
      await send(`/api/storage/usage/?tenant_id=t${worker}`);
      await sleep(PAUSE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  return {
    answered: () => answered,
    stop: async () => {
      stopping.abort();
      await running;
      agent.destroy();
      return statuses;
    },
  };
}

function statusOf(url: URL, agent: Agent, key: string, body?: object): Promise<number> {
  const text = body && JSON.stringify(body);
  const headers = { Authorization: `Bearer ${key}`, ...(text ? { "Content-Type": "application/json" } : {}) };
  return new Promise((resolve, reject) => {
    const method = text === undefined ? "GET" : "POST";
    const call = request(url, { agent, method, headers, timeout: HANGS_MS }, (response) => {
      response.on("error", reject).on("end", () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    call.on("timeout", () => call.destroy(new Error("no answer"))).on("error", reject);
    call.end(text);
  });
}
