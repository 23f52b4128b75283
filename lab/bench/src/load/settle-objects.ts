import type { Store } from "../processes/start-dev-store.js";

/** dev-store's batch size. */
export const RECORDS = 100;
/** A busy sender does not wait for one answer before it sends the next notification. */
export const NOTIFICATIONS_AT_ONCE = 4;
/** The service's `STORAGE_EVENTS_SECRET`. */
export const EVENTS_SECRET = "a-secret-of-the-bench-and-nobody-else";
const TIMEOUT_MS = 120_000;
const MOST_TRIES = 5;

/**
 * Notifies the service of uploaded objects.
 *
 * @returns seconds until every notification is answered; all its uploads are settled then
 */
export async function timeSettling(port: number, { bucket }: Store, keys: string[]): Promise<number> {
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
    headers: { Authorization: `Bearer ${EVENTS_SECRET}`, "Content-Type": "application/json" },
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
