import type { Registry } from "prom-client";
import type { Database } from "#db/client.js";
import { type Background, MAX_COUNTED, MAX_PROJECTS, readBackground } from "#health/background.js";
import { cacheReading } from "./cached-reading.js";
import { addGauge } from "./families.js";

const COUNTED = `At most ${MAX_COUNTED} are counted.`;
const BUSY_PROJECTS = `Of the ${MAX_PROJECTS} projects whose keys were used last.`;

/**
 * What the database knows about work in the background. It is read at a scrape, at most every five seconds. All replicas read the
 * same. While it cannot be read, these metrics have no values.
 */
export function addBackgroundMetrics(
  registry: Registry,
  { db, clock }: { db: Database; clock: () => Date },
): void {
  const queries = db.lane("list", "metrics");
  const read = cacheReading(async () => ({
    background: await readBackground({ db: queries, clock }),
    readAt: clock().getTime(),
  }));

  /** Adds a gauge. @param list its values as pairs of labels and value */
  function add<Label extends string>(
    { name, help, labelNames }: { name: string; help: string; labelNames: readonly Label[] },
    list: (
      background: Background,
      readAt: number,
    ) => [labels: Partial<Record<Label, string>>, value: number][],
  ): void {
    const gauge = addGauge<Label>(registry, {
      name,
      help,
      labelNames,
      async collect() {
        const reading = await read();
        this.reset();
        if (labelNames.length === 0) this.remove();
        if (!reading) return;
        for (const [labels, value] of list(reading.background, reading.readAt)) this.set(labels, value);
      },
    });
    if (labelNames.length === 0) gauge.remove();
  }

  add(
    {
      name: "stowage_backlog_rows",
      help: `Rows that are due and wait for a job, by queue. ${COUNTED}`,
      labelNames: ["queue"],
    },
    ({ backlogs }) => Object.entries(backlogs).map(([queue, { count }]) => [{ queue }, count]),
  );
  add(
    {
      name: "stowage_backlog_oldest_age_seconds",
      help: "For how long the oldest row of a queue has been due. 0: none is.",
      labelNames: ["queue"],
    },
    ({ backlogs }, readAt) =>
      Object.entries(backlogs).map(([queue, { oldestDueAt }]) => {
        const age = oldestDueAt === null ? 0 : (readAt - Date.parse(oldestDueAt)) / 1000;
        return [{ queue }, Math.max(0, age)];
      }),
  );
  add(
    {
      name: "stowage_open_uploads",
      help: `Uploads that are admitted and not stored. ${BUSY_PROJECTS} ${COUNTED}`,
      labelNames: [],
    },
    ({ openUploads }) => [[{}, openUploads.count]],
  );
  add(
    {
      name: "stowage_reserved_bytes",
      help: "Bytes of quotas that the counted open uploads reserve.",
      labelNames: [],
    },
    ({ openUploads }) => [[{}, openUploads.reservedBytes]],
  );
  add(
    {
      name: "stowage_webhook_endpoints_disabled",
      help: `Webhook endpoints that are disabled: by an operator, because they answered 410 (gone), or failed for five days. ${BUSY_PROJECTS}`,
      labelNames: ["reason"],
    },
    ({ disabledEndpoints }) =>
      Object.entries(disabledEndpoints).map(([reason, count]) => [{ reason }, count]),
  );
  add(
    {
      name: "stowage_failing_scans",
      help: `Files whose scan has failed and is repeated. ${COUNTED}`,
      labelNames: [],
    },
    ({ failingScans }) => [[{}, failingScans]],
  );
  add(
    {
      name: "stowage_failing_image_variants",
      help: `Image variants whose last try failed, and which are tried again. ${COUNTED}`,
      labelNames: [],
    },
    ({ failingVariants }) => [[{}, failingVariants]],
  );
  add(
    {
      name: "stowage_failed_image_variants",
      help: `Image variants that failed for a day and wait for an operator. Not those of files that are no images. ${COUNTED}`,
      labelNames: [],
    },
    ({ failedVariants }) => [[{}, failedVariants]],
  );
  add(
    {
      name: "stowage_last_event_timestamp_seconds",
      help: "When something last happened in any replica, as Unix time. scan_worker and scanner only while a project scans with clamd.",
      labelNames: ["event"],
    },
    ({ signals, isScannerUsed }) =>
      Object.entries(signals).flatMap(([event, at]) => {
        const isShown = at !== null && (isScannerUsed || !["scan_worker", "scanner"].includes(event));
        return isShown ? [[{ event }, Date.parse(at) / 1000]] : [];
      }),
  );
}
