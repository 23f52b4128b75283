import type { UploadResponse } from "@stowage/schemas";
import { setTimeout as sleep } from "node:timers/promises";

/** What a customer's backend and browser were told was done, and how often they were told to come back. */
export interface Acknowledged {
  requested: Set<string>;
  /** Path to size. */
  put: Map<string, number>;
  completed: Map<string, number>;
  deleted: Set<string>;
  /** Also those whose delete was never answered: it may have been done all the same. */
  deleteTried: Set<string>;
  unavailable: number;
  /** Requests that broke with the process that was answering them. */
  broken: number;
  /** Anything that should not have come: named, to be shown. */
  wrong: string[];
  slowestMs: number;
}

export interface Load {
  acknowledged: Acknowledged;
  stop(): Promise<void>;
}

/** Longer than any deadline of the service: what takes longer hangs. */
const HANGS_MS = 10_000;
const WORKERS = 8;

/** Uploads, completes and now and then deletes, until stopped. `serviceUrl` is asked for each call: the service moves. */
export function startLoad(serviceUrl: () => string, key: string): Load {
  const acknowledged: Acknowledged = {
    requested: new Set(),
    put: new Map(),
    completed: new Map(),
    deleted: new Set(),
    deleteTried: new Set(),
    unavailable: 0,
    broken: 0,
    wrong: [],
    slowestMs: 0,
  };
  const stopping = new AbortController();

  async function ask<Answer>(path: string, body: object): Promise<Answer | undefined> {
    const startedAt = performance.now();
    try {
      const response = await fetch(`${serviceUrl()}/api/storage/${path}/`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(HANGS_MS),
      });
      const answer = (await response.json()) as Answer;
      if (response.status === 200) return answer;
      if (response.status === 503 && response.headers.has("retry-after")) acknowledged.unavailable++;
      else if (!(response.status === 409 && path === "complete")) {
        acknowledged.wrong.push(`${path}: ${response.status} ${JSON.stringify(answer)}`);
      }
    } catch (error) {
      if ((error as Error).name === "TimeoutError")
        acknowledged.wrong.push(`${path}: no answer in ${HANGS_MS} ms`);
      else acknowledged.broken++;
    } finally {
      acknowledged.slowestMs = Math.max(acknowledged.slowestMs, performance.now() - startedAt);
    }
    await sleep(20); // a real caller waits, too
    return undefined;
  }

  async function putBytes(upload: UploadResponse, size: number): Promise<boolean> {
    try {
      const response = await fetch(upload.presigned_url, {
        method: "PUT",
        headers: upload.headers,
        body: "x".repeat(size),
        signal: AbortSignal.timeout(HANGS_MS),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false; // storage is away: the file is never acknowledged
    }
  }

  async function work(worker: number): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const size = 1 + ((worker * 7 + turn) % 50);
      const upload = await ask<UploadResponse>("upload", {
        tenant_id: `t${worker % 3}`,
        filename: "a.txt",
        size,
      });
      if (!upload) continue;
      acknowledged.requested.add(upload.file_path);
      if (!(await putBytes(upload, size))) continue;
      acknowledged.put.set(upload.file_path, size);
      if (await ask("complete", { file_path: upload.file_path }))
        acknowledged.completed.set(upload.file_path, size);
      if (turn % 5 !== 4) continue;
      acknowledged.deleteTried.add(upload.file_path);
      if (await ask("delete", { file_path: upload.file_path })) acknowledged.deleted.add(upload.file_path);
    }
  }

  const workers = Array.from({ length: WORKERS }, (_, worker) => work(worker));
  return {
    acknowledged,
    stop: async () => {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}
