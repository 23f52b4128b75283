import { setTimeout as sleep } from "node:timers/promises";
import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { SECOND_MS } from "#lib/time.js";

/** Requests that wait for the next event of their project. They hold no connection of the database. */
export interface EventWaits {
  /**
   * Resolves when the project has events that were not read, after `waitMs`, when `signal` aborts, or when the waits are closed.
   *
   * @param options.seen the position of the newest event that the caller knows
   * @returns whether there are such events
   * @throws {StowageError} `too_many_requests` if too many requests of the project wait already
   */
  wait(projectId: number, options: { seen: number; waitMs: number; signal: AbortSignal }): Promise<boolean>;
  /** Ends all waits, and those that begin later. */
  close(): void;
}

const MAX_PER_PROJECT = 20;
const RETRY_AFTER_SECONDS = 5;
const POLL_INTERVAL_MS = SECOND_MS / 2;

interface Wait {
  projectId: number;
  seen: number;
  end: (hasEvents: boolean) => void;
}

/**
 * While requests wait, the replica asks the database twice a second about all their projects together. NOTIFY would take a lock of the
 * whole database in the commit of every settle.
 */
export function createEventWaits(deps: { db: Queries; onError: (error: unknown) => void }): EventWaits {
  const waits = new Set<Wait>();
  const closing = new AbortController();
  let isPolling = false;

  async function poll(): Promise<void> {
    isPolling = true;
    while (waits.size > 0) {
      await sleep(POLL_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      if (waits.size > 0) await endThoseWithEvents().catch(deps.onError);
    }
    isPolling = false;
  }

  async function endThoseWithEvents(): Promise<void> {
    const projectIds = [...new Set([...waits].map(({ projectId }) => projectId))];
    const rows = await deps.db.execute<LogRow>(READ_LOGS, [JSON.stringify(projectIds)]);
    const logs = new Map(rows.map((row) => [row.projectId, row]));
    for (const { projectId, seen, end } of waits) {
      const log = logs.get(projectId);
      if (log && (log.hasUnnumbered || log.newest > seen)) end(true);
    }
  }

  return {
    wait(projectId, { seen, waitMs, signal }) {
      const isOfProject = (wait: Wait) => wait.projectId === projectId;
      if ([...waits].filter(isOfProject).length >= MAX_PER_PROJECT)
        throw new StowageError("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS });
      return new Promise((resolve) => {
        const end = (hasEvents: boolean) => {
          waits.delete(wait);
          clearTimeout(timer);
          signal.removeEventListener("abort", giveUp);
          resolve(hasEvents);
        };
        const giveUp = () => end(false);
        const wait = { projectId, seen, end };
        const timer = setTimeout(giveUp, waitMs);
        signal.addEventListener("abort", giveUp);
        waits.add(wait);
        if (signal.aborted || closing.signal.aborted) return end(false);
        if (!isPolling) void poll();
      });
    },
    close() {
      closing.abort();
      for (const { end } of waits) end(false);
    },
  };
}

interface LogRow {
  projectId: number;
  newest: number;
  hasUnnumbered: boolean;
}

const READ_LOGS = `
select l.project_id as "projectId", l.last_position as newest,
       exists (select from webhook_outbox o where o.project_id = l.project_id) as "hasUnnumbered"
from event_logs l where l.project_id in (select value::bigint from json_array_elements_text($1::json))`;
