import { uploadObjects } from "../load/upload-objects.js";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { createProject } from "../processes/create-project.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import { startDevStore, storeSettings, type Store } from "../processes/start-dev-store.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import type { HeadsWanted } from "../sides/heads.js";

const ROUNDS = 7;
const FILES = 1000;
/** As many as dev-store sends together. */
const RECORDS = 100;
/** Senders with much to tell do not wait for one answer before they send the next. */
const NOTIFICATIONS_AT_ONCE = 4;
/** As the service looks at those of one notification: see note-storage-events.ts. */
const AT_ONCE = 32;
const SECRET = "a-secret-of-the-bench-and-nobody-else";
const TIMEOUT_MS = 120_000;
const MOST_TRIES = 5;

/**
 * Uploads settled by what storage tells of them, each with a HEAD and a durable commit, against the HEADs alone, in a process of
 * their own on the same core. Database and storage share the other core.
 */
export const settleRow: Row = {
  name: "settle",
  async run(tools) {
    const databaseUrl = await startDatabase(tools);
    await migrateDatabase(databaseUrl);
    const apiKey = await createProject(databaseUrl);
    const store = await startDevStore(tools, "others");
    const service = await startService(databaseUrl, tools, {
      ...storeSettings(store),
      STORAGE_EVENTS_SECRET: SECRET,
    });
    const { port } = service.ready;
    const heads = await startChild(import.meta.resolve("#sides/heads.js"), { role: "server" });
    tools.atEnd(() => heads.stop());
    let keys = await uploadObjects(port, apiKey, FILES);
    const headsBy = async (by: HeadsWanted["by"]) => {
      const wanted: HeadsWanted = { by, store, keys, atOnce: AT_ONCE };
      const { seconds } = await heads.ask<{ seconds: number }>(wanted, TIMEOUT_MS);
      tools.say(`HEADs by the ${by}'s client ${(keys.length / seconds).toFixed(0)}/s`);
      return keys.length / seconds;
    };
    const measured = await takeTurns(
      {
        settle: async () => {
          keys = await uploadObjects(port, apiKey, FILES);
          const seconds = await timeSettling(port, store, keys);
          tools.say(`settled ${(FILES / seconds).toFixed(0)}/s`);
          return FILES / seconds;
        },
        heads: () => headsBy("service"),
        sdkHeads: () => headsBy("sdk"),
      },
      { rounds: ROUNDS },
    );
    const settledAgainst = (side: "heads" | "sdkHeads", client: string) => ({
      measured: `uploads settled from storage events, ${RECORDS} a notification, ${NOTIFICATIONS_AT_ONCE} notifications at once`,
      against: `HEADs alone, ${AT_ONCE} at once, by ${client}`,
      ratio: summarise(ratios(measured.settle, measured[side])),
      toReach: { atLeast: 0.8 },
      beside: `${summarise(measured.settle).median.toFixed(0)} and ${summarise(measured[side]).median.toFixed(0)} a second`,
    });
    return [
      settledAgainst("heads", "the same client, which is the service's own"),
      settledAgainst("sdkHeads", "the AWS SDK's client, which the service had before"),
    ];
  },
};

/** @returns seconds until every notification is answered, which is when all of its uploads are settled */
async function timeSettling(port: number, { bucket }: Store, keys: string[]): Promise<number> {
  const startedAt = performance.now();
  let first = 0;
  const lane = async () => {
    while (first < keys.length) await notify(port, bucket, keys.slice(first, (first += RECORDS)));
  };
  await Promise.all(Array.from({ length: NOTIFICATIONS_AT_ONCE }, lane));
  return (performance.now() - startedAt) / 1000;
}

/** Comes again, as senders do, when a machine under other loads is late. */
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
  if (lookedAt !== keys.length) throw new Error(`HTTP ${response.status}: ${lookedAt} were looked at`);
}
