import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { subfolder } from "./data-dir.js";
import type { Parts } from "./parts.js";
import { hasStrings, rememberedJson } from "./private-json.js";
import type { LocalSettings } from "./settings.js";

export interface LocalStorage {
  /** The service's S3_* settings. */
  settings: Record<string, string>;
  /** The service's settings that let it believe what this storage tells of uploads. */
  events: Record<string, string>;
  /** Undefined where S3_* name a storage of one's own. */
  url: string | undefined;
}

const BUCKET = "stowage";

/**
 * The storage that S3_* name, or dev-store over the data folder, which tells the service of every upload.
 *
 * @throws {LocalError} with one sentence for the person who started it
 */
export async function startStorage(
  { settings, dataDir, program, servicePort }: StorageOptions,
  parts: Parts,
): Promise<LocalStorage> {
  if (settings.storage) return { settings: settings.storage, events: {}, url: undefined };
  const keys = await rememberedJson(join(dataDir, "dev-store.json"), areKeys, () => ({
    access_key_id: `dev${randomBytes(8).toString("hex")}`,
    secret_access_key: randomBytes(30).toString("base64url"),
  }));
  const remembered = await rememberedJson(join(dataDir, "storage-events.json"), isSecret, () => ({
    secret: randomBytes(30).toString("base64url"),
  }));
  const secret = settings.passedOn["STORAGE_EVENTS_SECRET"] ?? remembered.secret;
  const store = await parts.start("dev-store", program, {
    DEV_STORE_DIR: await subfolder(dataDir, "store"),
    DEV_STORE_PORT: String(settings.ports.store),
    DEV_STORE_ACCESS_KEY_ID: keys.access_key_id,
    DEV_STORE_SECRET_ACCESS_KEY: keys.secret_access_key,
    DEV_STORE_BUCKETS: BUCKET,
    DEV_STORE_NOTIFY_URL: `http://127.0.0.1:${servicePort}/internal/storage-events`,
    DEV_STORE_NOTIFY_SECRET: secret,
  });
  const url = String(store.ready["endpoint"]);
  return {
    settings: {
      S3_ENDPOINT: url,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: keys.access_key_id,
      S3_SECRET_ACCESS_KEY: keys.secret_access_key,
    },
    events: { STORAGE_EVENTS_SECRET: secret },
    url,
  };
}

interface StorageOptions {
  settings: LocalSettings;
  dataDir: string;
  /** dev-store's. */
  program: string;
  servicePort: number;
}

const areKeys = (value: unknown) => hasStrings(value, "access_key_id", "secret_access_key");
const isSecret = (value: unknown) => hasStrings(value, "secret");
