import { uploadObjects } from "../load/upload-objects.js";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { createProject, createProjectWithEndpoint } from "../processes/create-project.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import type { Role } from "../processes/pinning.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import { startDevStore, storeSettings, type Store } from "../processes/start-dev-store.js";
import { startService } from "../processes/start-service.js";
import type { Figure, Row, RowTools } from "../row.js";
import type { HeadsWanted } from "../sides/heads.js";
import { withTools } from "../with-tools.js";

const ROUNDS = 9;
/** Warm-up until the settling code is compiled; a thousand files are not enough. */
const WARM_UPS = 4;
const FILES = 2000;
/** dev-store's batch size. */
const RECORDS = 100;
/** A busy sender does not wait for one answer before it sends the next notification. */
const NOTIFICATIONS_AT_ONCE = 4;
/** The service's concurrency within one notification. */
const AT_ONCE = 32;
const SECRET = "a-secret-of-the-bench-and-nobody-else";
const TIMEOUT_MS = 120_000;
const MOST_TRIES = 5;

/** The core of storage: the service's core, or the database's. */
const PLACES: Record<string, Role> = { "the service's core": "server", "the database's core": "others" };

/**
 * Uploads settled from storage events, each with a HEAD and a durable commit, compared with HEADs alone in their own process on the
 * service's core. On two cores the place of storage matters: settling keeps three processes busy, HEADs only two. So both are measured.
 */
export const settleRow: Row = {
  name: "settle",
  async run(tools) {
    const figures: Figure[] = [];
    for (const [place, role] of Object.entries(PLACES)) {
      // Stopped before the next one starts, because idle processes use CPU too.
      figures.push(...(await withTools(tools.say, (own) => settleBeside(place, role, own))));
    }
    return figures;
  },
};

async function settleBeside(place: string, role: Role, tools: RowTools): Promise<Figure[]> {
  const databaseUrl = await startDatabase(tools);
  await migrateDatabase(databaseUrl);
  const apiKey = await createProject(databaseUrl);
  const told = (await createProjectWithEndpoint(databaseUrl)).apiKey;
  const store = await startDevStore(tools, role);
  const settings = { ...storeSettings(store), STORAGE_EVENTS_SECRET: SECRET, WEBHOOKS: "off" };
  const { port } = (await startService(databaseUrl, tools, settings)).ready;
  const heads = await startChild(import.meta.resolve("#sides/heads.js"), { role: "server" });
  tools.atEnd(() => heads.stop());
  let keys = await uploadObjects(port, apiKey, FILES);
  const said = (what: string, seconds: number) => {
    tools.say(`storage on ${place}, ${what} ${(FILES / seconds).toFixed(0)}/s`);
    return FILES / seconds;
  };
  const settle = (what: string, key: string) => async () => {
    keys = await uploadObjects(port, key, FILES);
    return said(what, await timeSettling(port, store, keys));
  };
  const measured = await takeTurns(
    {
      settle: settle("settled", apiKey),
      told: settle("settled with an endpoint", told),
      heads: async () => {
        const wanted: HeadsWanted = { store, keys, atOnce: AT_ONCE };
        return said("HEADs", (await heads.ask<{ seconds: number }>(wanted, TIMEOUT_MS)).seconds);
      },
    },
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  const perSecond = (values: number[]) => summarise(values).median.toFixed(0);
  const alone: Figure = {
    measured: `uploads settled from storage events, ${RECORDS} a notification, ${NOTIFICATIONS_AT_ONCE} notifications at once; storage on ${place}`,
    against: `HEADs alone, ${AT_ONCE} at once, by the same client, which is the service's own`,
    ratio: summarise(ratios(measured.settle, measured.heads)),
    target: { atLeast: 0.8 },
    details: `${perSecond(measured.settle)} and ${perSecond(measured.heads)} a second`,
  };
  const withEndpoint: Figure = {
    measured: `the same of a project with a webhook endpoint; storage on ${place}`,
    against: "of one without, by the same process",
    ratio: summarise(ratios(measured.told, measured.settle)),
    target: { atLeast: 0.9 },
    details: `${perSecond(measured.told)} and ${perSecond(measured.settle)} a second`,
  };
  return [alone, withEndpoint];
}

/** @returns seconds until every notification is answered; all its uploads are settled then */
async function timeSettling(port: number, { bucket }: Store, keys: string[]): Promise<number> {
  const startedAt = performance.now();
  let first = 0;
  const lane = async () => {
    while (first < keys.length) await notify(port, bucket, keys.slice(first, (first += RECORDS)));
  };
  await Promise.all(Array.from({ length: NOTIFICATIONS_AT_ONCE }, lane));
  return (performance.now() - startedAt) / 1000;
}

/** Sends again, as senders do, if a busy machine is late. */
async function notify(port: number, bucket: string, keys: string[], triesLeft = MOST_TRIES): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/internal/storage-events`, {
    method: "POST",
    headers: { Authorization: `Bearer ${SECRET}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      Records: keys.map((key) => ({
        s3: { bucket: { name: bucket }, object: { key: encodeURIComponent(key) } },
      })),
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 503 && triesLeft > 1) return notify(port, bucket, keys, triesLeft - 1);
  const { looked_at: lookedAt } = (await response.json()) as { looked_at?: number };
  if (lookedAt !== keys.length) throw new Error(`HTTP ${response.status}: ${lookedAt} were checked`);
}
