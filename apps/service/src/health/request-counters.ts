import type { Database } from "#db/client.js";
import { addMs, DAY_MS, MINUTE_MS } from "#lib/time.js";
import { BUCKET_COUNT, bucketOf } from "./latency-histogram.js";

/**
 * Counts the requests to the API per minute in memory, and adds the counts to those of the other replicas in one statement. No
 * request waits for it.
 */
export interface RequestCounters {
  record(answer: { status: number; durationMs: number }): void;
  /**
   * Writes what was counted since the last flush.
   *
   * @throws {StowageError} `unavailable`; the counts then stay for the next flush
   */
  flush(): Promise<void>;
}

interface MinuteCounts {
  requests: number;
  refused: number;
  wrongKeys: number;
  failed: number;
  latencies: number[];
}

/** The minutes that an outage of the database may last before the oldest counts are dropped. */
const MAX_MINUTES = 60;
/** How long the counts are kept in the database. */
const REQUESTS_KEPT_MS = 2 * DAY_MS;

export function createRequestCounters(deps: {
  db: Pick<Database, "execute">;
  clock: () => Date;
}): RequestCounters {
  /** By the minute since 1970. */
  let minutes = new Map<number, MinuteCounts>();
  const find = (minute: number): MinuteCounts => {
    const known = minutes.get(minute);
    if (known) return known;
    const counts = { requests: 0, refused: 0, wrongKeys: 0, failed: 0, latencies: noLatencies() };
    minutes.set(minute, counts);
    if (minutes.size > MAX_MINUTES) minutes.delete(Math.min(...minutes.keys()));
    return counts;
  };
  return {
    record({ status, durationMs }) {
      const counts = find(Math.floor(deps.clock().getTime() / MINUTE_MS));
      counts.requests++;
      if (status === 401) counts.wrongKeys++;
      else if (status >= 400 && status < 500) counts.refused++;
      // Some refusals are held back on purpose, so their duration says nothing about the service.
      else counts.latencies[bucketOf(durationMs)]!++;
      if (status >= 500) counts.failed++;
    },
    async flush() {
      if (minutes.size === 0) return;
      const flushed = minutes;
      minutes = new Map();
      try {
        await deps.db.execute(WRITE, [JSON.stringify([...flushed].map(toRow))]);
      } catch (error) {
        for (const [minute, counts] of flushed) add(find(minute), counts);
        throw error;
      }
    },
  };
}

const noLatencies = () => Array.from({ length: BUCKET_COUNT }, () => 0);

function add(to: MinuteCounts, counts: MinuteCounts): void {
  for (const name of ["requests", "refused", "wrongKeys", "failed"] as const) to[name] += counts[name];
  for (const [bucket, count] of counts.latencies.entries()) to.latencies[bucket]! += count;
}

function toRow([minute, { requests, refused, wrongKeys, failed, latencies }]: [number, MinuteCounts]) {
  const at = new Date(minute * MINUTE_MS).toISOString();
  return { minute: at, requests, refused, wrong_keys: wrongKeys, failed, latencies };
}

/**
 * Replicas add to the same row of a minute, so the table's size does not depend on their number. The rows are written in the order
 * of the primary key, so that concurrent flushes cannot deadlock.
 */
const WRITE = `
insert into request_minutes as kept (minute, requests, refused, wrong_keys, failed, latencies)
select counted.minute, counted.requests, counted.refused, counted.wrong_keys, counted.failed, counted.latencies
from json_to_recordset($1::json) as counted (
  minute timestamptz, requests int, refused int, wrong_keys int, failed int, latencies int[])
order by 1
on conflict (minute) do update set
  requests = kept.requests + excluded.requests, refused = kept.refused + excluded.refused,
  wrong_keys = kept.wrong_keys + excluded.wrong_keys, failed = kept.failed + excluded.failed,
  latencies = (
    select array_agg(coalesce(a, 0) + coalesce(b, 0) order by n)
    from unnest(kept.latencies, excluded.latencies) with ordinality as pair (a, b, n))`;

/** Deletes the counts of minutes that are not shown any more. @throws {StowageError} `unavailable` */
export async function deleteOldRequestCounts(deps: {
  db: Pick<Database, "execute">;
  clock: () => Date;
}): Promise<void> {
  await deps.db.execute("delete from request_minutes where minute < $1::timestamptz", [
    addMs(deps.clock(), -REQUESTS_KEPT_MS).toISOString(),
  ]);
}
