import { ignorePurgeFailure } from "#cdn/cdn.js";
import { checkTombstone, type CheckTombstoneDeps } from "#files/delete/check-tombstone.js";
import { removeObject } from "#files/delete/remove-objects.js";
import { settleFile, type SettleUploadDeps } from "#files/settle/settle-upload.js";
import type { Signals } from "#db/signals.js";
import type { Storages } from "#projects/storages.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { acceptSnsMessage, type AcceptSnsMessageDeps } from "./accept-sns-message.js";
import { findRecordsByPath, type PathRecord } from "./find-records-by-path.js";
import { readStorageEvents, type StorageEvent } from "./read-storage-events.js";
import { readSnsContent, readSnsMessage } from "./sns-message.js";

export type HandleStorageEventsDeps = Omit<SettleUploadDeps & CheckTombstoneDeps, "store"> & {
  /** Events of buckets that are not in `all` are ignored. */
  storages: Storages;
  signals: Pick<Signals, "mark">;
};

export type HandleNotificationDeps = AcceptSnsMessageDeps & HandleStorageEventsDeps;

/**
 * Handles a notification that storage or its notification service posted, in any of the supported formats: checks the paths that
 * its events name.
 *
 * @param body parsed JSON
 * @returns how many paths were checked
 * @throws {StowageError} `invalid_request`; `unauthorized` for an SNS message that is forged or comes from another topic; `unavailable`
 */
export async function handleNotification(deps: HandleNotificationDeps, body: unknown): Promise<number> {
  const message = readSnsMessage(body);
  if (!message) return handleStorageEvents(deps, readStorageEvents(body));
  await acceptSnsMessage(deps, message);
  if (message.Type !== "Notification") return 0;
  return handleStorageEvents(deps, readStorageEvents(readSnsContent(message)));
}

/** Per notification. Enough that results of early checks fill a batched statement while later checks still run. */
const MAX_CONCURRENT_CHECKS = 32;
const OUR_PATH = /^projects\/([0-9A-Za-z]{22})\/tenants\/[0-9A-Za-z]{22}\/[^/\p{Cc}\p{Cs}]+$/u;

/**
 * Checks in storage every path that the events name. The content of an event is not trusted, so an event may come late, twice,
 * out of order or forged: it only makes the check happen sooner. Events of other buckets than that of the path's project, and of unknown paths,
 * are ignored.
 *
 * @returns how many paths were checked
 * @throws {StowageError} `unavailable`: the sender should repeat the notification. The sweeper checks the paths in any case
 */
export async function handleStorageEvents(
  deps: HandleStorageEventsDeps,
  events: StorageEvent[],
): Promise<number> {
  const buckets = new Set(deps.storages.all.map(({ address }) => address.bucket));
  const ours = events.filter(({ bucket }) => buckets.has(bucket));
  const paths = new Set(ours.flatMap(({ keys }) => keys));
  if (paths.size > 0) deps.signals.mark("storage_event");
  const lookups = [...paths].flatMap((path) => {
    const ref = OUR_PATH.exec(path)?.[1];
    return ref === undefined ? [] : [{ ref, path }];
  });
  const named = new Set(ours.flatMap(({ bucket, keys }) => keys.map((key) => `${bucket} ${key}`)));
  let checked = 0;
  await forEachBounded(await findRecordsByPath(deps, lookups), MAX_CONCURRENT_CHECKS, async (record) => {
    const { store, address, otherAddress } = await deps.storages.of(record.projectId);
    const buckets = [address.bucket, ...(otherAddress ? [otherAddress.bucket] : [])];
    if (!buckets.some((bucket) => named.has(`${bucket} ${record.path}`))) return;
    checked++;
    await checkPath({ ...deps, store }, record).catch(ignorePurgeFailure);
  });
  return checked;
}

async function checkPath(
  deps: SettleUploadDeps & CheckTombstoneDeps,
  { projectId, path, file }: PathRecord,
): Promise<void> {
  if (!file) return void (await checkTombstone(deps, projectId, path));
  const outcome = file.status === "deleting" ? "removing" : await settleFile(deps, file);
  if (outcome === "removing") await removeObject(deps, projectId, path);
}
