import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "./random.js";
import type { Replicas } from "./replicas.js";
import { type Outcome, type Phase, problemOfError, type Statistics } from "./statistics.js";

/** Longer than any time limit of the service. Storage may take half a minute to complete an upload by parts. */
const HANGS_MS = 15_000;
const COMPLETION_HANGS_MS = 45_000;
const STORAGE_LIMIT_MS = 15_000;

export interface Answer<Body> {
  status: number;
  code: string | null;
  body: Body;
}

export interface ApiCall {
  /** Its name in the report. */
  name: string;
  path: string;
  key: string;
  /** Missing: a GET. */
  body?: object;
  headers?: Record<string, string>;
}

/** The only way of the load to the service and to storage. It paces, counts and judges every request. */
export interface Client {
  /** Calls a replica that it chooses. @returns null if the call may have been executed or not: 429, 503, or no answer */
  call<Body>(call: ApiCall): Promise<Answer<Body> | null>;
  /** Visits a share link. @returns null if the visit may have been counted or not */
  visit(path: string): Promise<{ status: number; location: string | null } | null>;
  put(
    target: { presigned_url: string; headers: Record<string, string> },
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<"done" | "refused" | "unknown">;
  /** @returns the status and the bytes; null if the connection broke or storage was not available */
  get(url: string): Promise<{ status: number; bytes: Uint8Array } | null>;
}

export interface ClientDeps {
  replicas: Pick<Replicas, "running">;
  statistics: Statistics;
  random: Random;
  /** Whether there is a fault now. */
  phase(): Phase;
  /** Called with each answer that the contract forbids. */
  onWrong(problem: string): void;
  requestsPerSecond: number;
}

export function createClient({
  replicas,
  statistics,
  random,
  phase,
  onWrong,
  requestsPerSecond,
}: ClientDeps): Client {
  let nextAt = 0;
  async function takeTurn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, nextAt);
    nextAt = at + 1000 / requestsPerSecond;
    await sleep(at - now);
  }

  /** Sends one request and writes down what became of it. */
  async function send<Result>(
    name: string,
    request: () => Promise<{ outcome: Outcome; result: Result }>,
    hung: () => Outcome,
  ): Promise<Result | null> {
    await takeTurn();
    const before = phase();
    const startedAt = performance.now();
    let outcome: Outcome = { kind: "broken", reason: "unknown" };
    try {
      const answered = await request();
      outcome = answered.outcome;
      return answered.result;
    } catch (error) {
      const { name: kind, cause, message } = error as Error & { cause?: { code?: string; message?: string } };
      outcome =
        kind === "TimeoutError"
          ? hung()
          : { kind: "broken", reason: cause?.code ?? cause?.message ?? message };
      return null;
    } finally {
      const during: Phase = before === "calm" && phase() === "calm" ? "calm" : "fault";
      statistics.add(name, during, outcome, performance.now() - startedAt);
    }
  }

  return {
    async call<Body>({ name, path, key, body, headers }: ApiCall) {
      const hangsMs = name === "complete" ? COMPLETION_HANGS_MS : HANGS_MS;
      return send<Answer<Body> | null>(
        name,
        async () => {
          const running = replicas.running();
          if (running.length === 0) throw new Error("no replica is running");
          const response = await fetch(`${random.pick(running).process.url}/api/storage/${path}`, {
            method: body ? "POST" : "GET",
            headers: {
              Authorization: `Bearer ${key}`,
              ...(body && { "Content-Type": "application/json" }),
              ...headers,
            },
            ...(body && { body: JSON.stringify(body) }),
            signal: AbortSignal.timeout(hangsMs),
          });
          const { status } = response;
          const answer = (await response.json()) as Body;
          const code = response.headers.get("x-error-code");
          if (status !== 200) {
            const problem = problemOfError({ status, headers: response.headers, body: answer });
            if (problem) onWrong(`${name}: ${problem}`);
          }
          const isUnknown = status === 429 || status >= 500;
          return {
            outcome: { kind: "answered", status, code },
            result: isUnknown ? null : { status, code, body: answer },
          };
        },
        () => {
          onWrong(`${name}: no answer in ${hangsMs} ms`);
          return { kind: "hung" };
        },
      );
    },
    async visit(path) {
      const answer = await send(
        "visit of a link",
        async () => {
          const running = replicas.running();
          if (running.length === 0) throw new Error("no replica is running");
          const response = await fetch(`${random.pick(running).process.url}${path}`, {
            redirect: "manual",
            signal: AbortSignal.timeout(HANGS_MS),
          });
          await response.arrayBuffer();
          const { status } = response;
          return {
            outcome: { kind: "answered", status, code: null },
            result: { status, location: response.headers.get("location") },
          };
        },
        () => {
          onWrong(`visit of a link: no answer in ${HANGS_MS} ms`);
          return { kind: "hung" };
        },
      );
      return answer && answer.status !== 429 && answer.status < 500 ? answer : null;
    },
    async put({ presigned_url, headers }, bytes) {
      const status = await send(
        "storage PUT",
        async () => {
          // Storage may close an idle connection at the moment at which the next PUT is sent on it, and fetch repeats no PUT.
          const response = await fetch(presigned_url, {
            method: "PUT",
            headers: { ...headers, Connection: "close" },
            body: bytes,
            signal: AbortSignal.timeout(STORAGE_LIMIT_MS),
          });
          await response.arrayBuffer();
          return {
            outcome: { kind: "answered", status: response.status, code: null },
            result: response.status,
          };
        },
        () => ({ kind: "broken", reason: `no answer in ${STORAGE_LIMIT_MS} ms` }),
      );
      if (status === 200) return "done";
      return status === null || status >= 500 ? "unknown" : "refused";
    },
    get: (url) =>
      send(
        "storage GET",
        async () => {
          const response = await fetch(url, { signal: AbortSignal.timeout(STORAGE_LIMIT_MS) });
          const bytes = new Uint8Array(await response.arrayBuffer());
          const { status } = response;
          return { outcome: { kind: "answered", status, code: null }, result: { status, bytes } };
        },
        () => ({ kind: "broken", reason: `no answer in ${STORAGE_LIMIT_MS} ms` }),
      ),
  };
}
