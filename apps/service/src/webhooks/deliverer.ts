import { setMaxListeners } from "node:events";
import { SECOND_MS } from "#lib/time.js";
import { deliverTo, type DeliverDeps, type DueEndpoint } from "./deliver.js";
import { fanOutEvents } from "./fan-out-events.js";

/**
 * Delivers what is due, in this replica. An endpoint that is slow or fails delays no other one:
 *
 * - Each endpoint has a turn of its own: one claim, with few requests at a time.
 * - An endpoint that fails or was slow gets one request per turn, and such endpoints together at most a quarter of all requests.
 * - A project has at most a part of the turns, and endpoints wait for their turns in one line.
 */
export interface Deliverer {
  /**
   * Fans out new events, finds endpoints with due deliveries and starts their turns. Does not wait for the turns.
   *
   * @returns whether there may be more events to fan out now
   * @throws {StowageError} `unavailable`
   */
  start(): Promise<boolean>;
  /**
   * Resolves when the running turns have ended. They start no request any more, and after `stopMs` their requests end. What was not sent,
   * or got no answer, is sent again after its lease. From now on, `start` does nothing.
   */
  stop(): Promise<void>;
  /** Resolves when no turn is running and no endpoint is waiting. */
  idle(): Promise<void>;
}

export interface DelivererDeps extends DeliverDeps {
  /** Also called when the fan-out of a project fails, or a turn. The deliveries of the turn are sent after their lease. */
  onError: DeliverDeps["onError"];
}

export interface DelivererOptions {
  /** How many endpoints wait for their turns in this replica: so many slow ones, and so many others. @default 1000 */
  maxWaiting?: number | undefined;
  /** How long requests may continue when the replica stops. @default 3 seconds, much less than DRAIN_SECONDS */
  stopMs?: number | undefined;
}

interface Turn {
  claims: number;
  concurrency: number;
}

type Pace = "unknown" | "fast" | "slow";
const turns: Record<Pace, Turn> = {
  // A first turn ends after one timeout, even if the endpoint never answers.
  unknown: { claims: 4, concurrency: 4 },
  fast: { claims: 16, concurrency: 4 },
  slow: { claims: 1, concurrency: 1 },
};
/** 48 and 16 requests at the same time. */
const MAX_TURNS = { quick: 12, slow: 16 };
/** Of the turns of each kind. Projects have up to ten endpoints. */
const MAX_TURNS_PER_PROJECT = 4;
/** An endpoint whose requests take longer on average is slow. */
const SLOW_MS = 1000;

/** Due deliveries and endpoints that one search reads. */
const MAX_FOUND = 1000;
/** Further endpoints are forgotten, and count as unknown. */
const MAX_REMEMBERED = 10_000;

export function createDeliverer(
  deps: DelivererDeps,
  { maxWaiting = MAX_FOUND, stopMs = 3 * SECOND_MS }: DelivererOptions = {},
): Deliverer {
  /** In the order of their turns. */
  const waiting = new Map<string, DueEndpoint>();
  const running = new Map<string, { projectId: number; isSlow: boolean; ended: Promise<void> }>();
  const paces = new Map<string, Pace>();
  const find = createFindDue(deps);
  let isStopped = false;
  const ending = new AbortController();
  // Each running request listens to it.
  setMaxListeners(0, ending.signal);
  const keyOf = ({ projectId, endpoint }: DueEndpoint) => `${projectId} ${endpoint}`;

  const kindOf = (key: string) => (paces.get(key) === "slow" ? "slow" : "quick");

  /** However many slow endpoints wait, there is room for others. */
  function queue(found: DueEndpoint[]): void {
    const room = { quick: maxWaiting, slow: maxWaiting };
    for (const key of waiting.keys()) room[kindOf(key)]--;
    for (const due of found) {
      const key = keyOf(due);
      if (!waiting.has(key) && room[kindOf(key)]-- > 0) waiting.set(key, due);
    }
  }

  function startTurns(): void {
    for (const [key, due] of waiting) {
      if (isStopped) return;
      const pace = paces.get(key) ?? "unknown";
      if (running.has(key) || !hasRoom(due, pace === "slow")) continue;
      waiting.delete(key);
      const ended = takeTurn(key, due, pace)
        .catch(deps.onError)
        .then(() => {
          running.delete(key);
          startTurns();
        });
      running.set(key, { projectId: due.projectId, isSlow: pace === "slow", ended });
    }
  }

  function hasRoom({ projectId }: DueEndpoint, isSlow: boolean): boolean {
    const ofKind = [...running.values()].filter((turn) => turn.isSlow === isSlow);
    const ofProject = ofKind.filter((turn) => turn.projectId === projectId);
    return ofKind.length < MAX_TURNS[isSlow ? "slow" : "quick"] && ofProject.length < MAX_TURNS_PER_PROJECT;
  }

  async function takeTurn(key: string, due: DueEndpoint, pace: Pace): Promise<void> {
    const turn = turns[pace];
    const requests: { isOk: boolean; ms: number }[] = [];
    const post: DeliverDeps["post"] = async (request, signal) => {
      const startedAt = performance.now();
      const answer = await deps.post(request, signal);
      const isOk = answer.status !== null && answer.status < 300;
      requests.push({ isOk, ms: performance.now() - startedAt });
      return answer;
    };
    const share = { ...turn, mayStart: () => !isStopped, signal: ending.signal };
    const claimed = await deliverTo({ ...deps, post }, due, share);
    if (requests.length > 0) remember(key, paceOf(requests));
    if (claimed === turn.claims && !isStopped) waiting.set(key, due);
  }

  function remember(key: string, pace: Pace): void {
    paces.delete(key);
    paces.set(key, pace);
    const [oldest] = paces.keys();
    if (paces.size > MAX_REMEMBERED) paces.delete(oldest!);
  }

  return {
    async start() {
      if (isStopped) return false;
      const hasMore = await fanOutEvents(deps);
      queue(await find());
      startTurns();
      return hasMore;
    },
    async stop() {
      isStopped = true;
      waiting.clear();
      const timer = setTimeout(() => ending.abort(), stopMs);
      await Promise.all([...running.values()].map(({ ended }) => ended));
      clearTimeout(timer);
    },
    async idle() {
      while (running.size > 0) await Promise.race([...running.values()].map(({ ended }) => ended));
    },
  };
}

function paceOf(requests: { isOk: boolean; ms: number }[]): Pace {
  const meanMs = requests.reduce((sum, { ms }) => sum + ms, 0) / requests.length;
  return meanMs > SLOW_MS || requests.every(({ isOk }) => !isOk) ? "slow" : "fast";
}

/*
 * Usually few deliveries are due, and their index tells the endpoints. If many are due, most may belong to one endpoint that fails. Then
 * the endpoints are asked one after the other whether they have due deliveries, a thousand in each search.
 */
const FIND_DELIVERIES = `
select project_id as "projectId", endpoint from webhook_deliveries
where next_attempt_at <= $1::timestamptz order by next_attempt_at limit ${MAX_FOUND}`;
const FIND_ENDPOINTS = `
select w.project_id as "projectId", w.id as endpoint from webhook_endpoints w
where (w.project_id, w.id) > ($2::bigint, $3::bigint) and exists (
  select from webhook_deliveries d
  where d.project_id = w.project_id and d.endpoint = w.id and d.next_attempt_at <= $1::timestamptz)
order by w.project_id, w.id limit ${MAX_FOUND}`;

function createFindDue({ db, clock }: Pick<DeliverDeps, "db" | "clock">): () => Promise<DueEndpoint[]> {
  let last: DueEndpoint = { projectId: 0, endpoint: 0 };
  return async () => {
    const now = clock().toISOString();
    const deliveries = await db.execute<DueEndpoint>(FIND_DELIVERIES, [now]);
    if (deliveries.length < MAX_FOUND) return deliveries;
    const found = await db.execute<DueEndpoint>(FIND_ENDPOINTS, [now, last.projectId, last.endpoint]);
    last = found.length < MAX_FOUND ? { projectId: 0, endpoint: 0 } : found.at(-1)!;
    return found;
  };
}
