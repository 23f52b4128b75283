import type { OpenUploadResponse, SignPartsResponse, UploadResponse } from "@stowage/schemas";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/** The results of the load's calls: which calls succeeded, and how the others failed. */
export interface Acknowledged {
  requested: Set<string>;
  /** Path to size in bytes. */
  put: Map<string, number>;
  completed: Map<string, number>;
  deleted: Set<string>;
  /** Paths of all requested deletes and cancels. The service may also have executed those that got no answer. */
  deleteTried: Set<string>;
  /** How many answers were 503 with Retry-After. */
  unavailable: number;
  /** How many requests broke because their process was killed. */
  broken: number;
  /** Answers that the contract forbids. */
  wrong: string[];
  slowestMs: number;
}

export interface Load {
  acknowledged: Acknowledged;
  /** Waits until the load has completed this many more uploads. */
  completesMore(count: number): Promise<void>;
  stop(): Promise<void>;
}

type PutTarget = Pick<UploadResponse, "presigned_url" | "headers">;

/** Longer than any deadline of the service. A request that takes longer counts as hanging. */
const HANGS_MS = 60_000;
/** Storage may take half a minute to complete an upload by parts. */
const COMPLETION_HANGS_MS = 120_000;
export const WORKERS = 8;
const PAUSE_AFTER_REFUSAL_MS = 20;

/**
 * Uploads, completes and sometimes cancels or deletes files until it is stopped. A quarter of the files is uploaded by parts.
 *
 * @param serviceUrl is called for each request, since a restarted service has another port
 */
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

  async function post<Answer>(path: string, body: object): Promise<Answer | undefined> {
    const startedAt = performance.now();
    const hangsMs = path === "complete" ? COMPLETION_HANGS_MS : HANGS_MS;
    try {
      const response = await fetch(`${serviceUrl()}/api/storage/${path}/`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(hangsMs),
      });
      const answer = (await response.json()) as Answer;
      if (response.status === 200) return answer;
      // A statement that waited while the database answered others of this project is refused as too many (429).
      if ([429, 503].includes(response.status) && response.headers.has("retry-after")) {
        acknowledged.unavailable++;
      } else if (!(response.status === 409 && path === "complete")) {
        acknowledged.wrong.push(`${path}: ${response.status} ${JSON.stringify(answer)}`);
      }
    } catch (error) {
      if ((error as Error).name === "TimeoutError") {
        acknowledged.wrong.push(`${path}: no answer in ${hangsMs} ms`);
      } else {
        acknowledged.broken++;
      }
    } finally {
      acknowledged.slowestMs = Math.max(acknowledged.slowestMs, performance.now() - startedAt);
    }
    await sleep(PAUSE_AFTER_REFUSAL_MS);
    return undefined;
  }

  /** @returns false if storage did not accept the bytes; the file then counts as never sent */
  async function putBytes(upload: PutTarget, size: number): Promise<boolean> {
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
      return false;
    }
  }

  /** Asks for an upload of one PUT, or opens an upload of one part and asks for its URL. */
  async function requestUrl(
    isByParts: boolean,
    tenant_id: string,
    size: number,
  ): Promise<{ file_path: string; put: PutTarget } | undefined> {
    if (!isByParts) {
      const upload = await post<UploadResponse>("upload", { tenant_id, filename: "a.txt", size });
      return upload && { file_path: upload.file_path, put: upload };
    }
    const opened = await post<OpenUploadResponse>("uploads", { tenant_id, filename: "a.txt", size });
    if (!opened) return undefined;
    const { file_path } = opened;
    acknowledged.requested.add(file_path);
    const signed = await post<SignPartsResponse>("uploads/parts", { file_path, parts: [{ number: 1 }] });
    return signed && { file_path, put: signed.parts[0]! };
  }

  async function work(worker: number): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const size = 1 + ((worker * 7 + turn) % 50);
      const isByParts = worker % 4 === 3;
      const upload = await requestUrl(isByParts, `t${worker % 3}`, size);
      if (!upload) continue;
      const { file_path } = upload;
      acknowledged.requested.add(file_path);
      if (turn % 7 === 6) {
        acknowledged.deleteTried.add(file_path);
        if (await post("cancel", { file_path })) acknowledged.deleted.add(file_path);
        continue;
      }
      if (!(await putBytes(upload.put, size))) continue;
      acknowledged.put.set(file_path, size);
      if (await post("complete", { file_path })) acknowledged.completed.set(file_path, size);
      const isDeleted = turn % 5 === 4;
      if (!isDeleted) continue;
      acknowledged.deleteTried.add(file_path);
      if (await post("delete", { file_path })) acknowledged.deleted.add(file_path);
    }
  }

  const workers = Array.from({ length: WORKERS }, (_, worker) => work(worker));
  return {
    acknowledged,
    async completesMore(count) {
      const wanted = acknowledged.completed.size + count;
      await expect
        .poll(() => acknowledged.completed.size, { timeout: 60_000 + 1000 * count, interval: 10 })
        .toBeGreaterThanOrEqual(wanted);
    },
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}
