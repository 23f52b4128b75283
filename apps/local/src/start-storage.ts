import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createSubfolder } from "./data-dir.js";
import { hasStrings, readOrCreateJson } from "./private-json.js";
import type { LocalSettings } from "./settings.js";
import type { Supervisor } from "./supervisor.js";

export interface LocalStorage {
  /** The service's settings of storage. */
  settings: Record<string, string>;
  /** The service's settings for accepting this storage's events. */
  eventSettings: Record<string, string>;
  /** Undefined if the settings name another storage. */
  url: string | undefined;
}

export interface StorageOptions {
  settings: LocalSettings;
  dataDir: string;
  /** Path of dev-store's program. */
  program: string;
  servicePort: number;
}

const BUCKET = "stowage";
const PUBLIC_BUCKET = "stowage-public";

/**
 * Uses the storage that the settings name, or starts dev-store on the data folder. dev-store notifies the service of every upload.
 *
 * @throws {LocalError} with a message for the person who started Stowage
 */
export async function startStorage(
  { settings, dataDir, program, servicePort }: StorageOptions,
  supervisor: Supervisor,
): Promise<LocalStorage> {
  if (settings.storage) return { settings: settings.storage, eventSettings: {}, url: undefined };
  const keys = await readOrCreateJson(join(dataDir, "dev-store.json"), areKeys, () => ({
    access_key_id: `dev${randomBytes(8).toString("hex")}`,
    secret_access_key: randomBytes(30).toString("base64url"),
  }));
  const stored = await readOrCreateJson(join(dataDir, "storage-events.json"), isSecret, () => ({
    secret: randomBytes(30).toString("base64url"),
  }));
  const secret = settings.serviceSettings["STORAGE_EVENTS_SECRET"] ?? stored.secret;
  const store = await supervisor.start("dev-store", program, {
    DEV_STORE_DIR: await createSubfolder(dataDir, "store"),
    DEV_STORE_PORT: String(settings.ports.store),
    DEV_STORE_ACCESS_KEY_ID: keys.access_key_id,
    DEV_STORE_SECRET_ACCESS_KEY: keys.secret_access_key,
    DEV_STORE_BUCKETS: BUCKET,
    DEV_STORE_PUBLIC_BUCKETS: PUBLIC_BUCKET,
    DEV_STORE_NOTIFY_URL: `http://127.0.0.1:${servicePort}/internal/storage-events`,
    DEV_STORE_NOTIFY_SECRET: secret,
  });
  const url = String(store.ready["endpoint"]);
  return {
    settings: {
      S3_ENDPOINT: url,
      S3_BUCKET: BUCKET,
      S3_PUBLIC_BUCKET: PUBLIC_BUCKET,
      S3_ACCESS_KEY_ID: keys.access_key_id,
      S3_SECRET_ACCESS_KEY: keys.secret_access_key,
    },
    eventSettings: { STORAGE_EVENTS_SECRET: secret },
    url,
  };
}

const areKeys = (value: unknown) => hasStrings(value, "access_key_id", "secret_access_key");
const isSecret = (value: unknown) => hasStrings(value, "secret");
