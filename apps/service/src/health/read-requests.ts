import type { RequestPeriod } from "@stowage/operator-schemas";
import type { Queries } from "#db/client.js";
import { HOUR_MS, MINUTE_MS } from "#lib/time.js";
import { percentile } from "./latency-histogram.js";

/** The requests to the API in one step of a period, of all replicas. */
export interface RequestStep {
  /** The start of the step. */
  at: string;
  requests: number;
  /** Answered with 4xx, except those with a wrong key. */
  refused: number;
  /** Answered with 401. */
  wrongKeys: number;
  /** Answered with 5xx. */
  failed: number;
  /** 95 of 100 accepted or failed requests took at most this long, within about a fifth; null if there were none. */
  p95Ms: number | null;
}

/** Minutes in one step: a chart shows at most about a hundred steps. */
const stepMinutes: Record<RequestPeriod, number> = { 1: 1, 6: 5, 24: 15 };

/**
 * Reads the requests of the last hours in steps. The last step has not ended yet. Steps without requests are zeros.
 *
 * @throws {StowageError} `unavailable`
 */
export async function readRequests(
  deps: { db: Queries; clock: () => Date },
  { hours }: { hours: RequestPeriod },
): Promise<RequestStep[]> {
  const stepMs = stepMinutes[hours] * MINUTE_MS;
  const last = Math.floor(deps.clock().getTime() / stepMs);
  const first = last + 1 - (hours * HOUR_MS) / stepMs;
  const rows = await deps.db.execute<CountedStep>(READ, [
    new Date(first * stepMs).toISOString(),
    stepMs / 1000,
  ]);
  const byStep = new Map(rows.map((row) => [Number(row.step), row]));
  return Array.from({ length: last + 1 - first }, (_, index) => {
    const row = byStep.get(first + index);
    return {
      at: new Date((first + index) * stepMs).toISOString(),
      requests: row?.requests ?? 0,
      refused: row?.refused ?? 0,
      wrongKeys: row?.wrongKeys ?? 0,
      failed: row?.failed ?? 0,
      p95Ms: percentile(row?.latencies ?? [], 0.95),
    };
  });
}

interface CountedStep {
  step: number;
  requests: number;
  refused: number;
  wrongKeys: number;
  failed: number;
  latencies: number[];
}

/** The longest period has 1,440 rows. */
const READ = `
with chosen as materialized (
  select floor(extract(epoch from minute) / $2::integer)::bigint as step, requests, refused, wrong_keys, failed, latencies
  from request_minutes where minute >= $1::timestamptz),
answers as (
  select step, sum(requests)::integer as requests, sum(refused)::integer as refused,
         sum(wrong_keys)::integer as "wrongKeys", sum(failed)::integer as failed
  from chosen group by 1),
latency as (
  select step, bucket, sum(count)::integer as count
  from chosen, unnest(latencies) with ordinality as each (count, bucket) group by 1, 2),
histogram as (select step, json_agg(count order by bucket) as latencies from latency group by 1)
select answers.*, histogram.latencies from answers join histogram using (step)`;
