import type { DatabaseConfig, StorageConfig } from "./config.js";
import { type Database, openDatabase } from "./db/client.js";
import { lazy } from "./lib/lazy.js";
import { lazyStore } from "./object-store/lazy-store.js";
import type { ObjectStore } from "./object-store/object-store.js";
import { createPresigner } from "./object-store/presign.js";

/*
 * The database and the object store as the settings describe them. Only compose.ts and compose-cli.ts use this file.
 */

/** @param onPreparedLost see {@link openDatabase} */
export function composeDatabase(config: DatabaseConfig, onPreparedLost?: () => void): Database {
  return openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    timeoutMs: config.DATABASE_TIMEOUT_MS,
    prepared: config.DATABASE_PREPARED,
    onPreparedLost,
  });
}

/** Creates the object store. It signs URLs without the AWS SDK. The first call to storage, or `load`, loads the SDK. */
export function composeStore(config: StorageConfig): { store: ObjectStore; load(): Promise<unknown> } {
  const options = {
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
  };
  const load = lazy(async () => {
    const { createS3Client } = await import("./object-store/s3.js");
    return createS3Client({ ...options, timeoutMs: config.S3_TIMEOUT_MS });
  });
  const presigner = createPresigner({ ...options, endpoint: publicEndpointOf(config) });
  return { store: lazyStore(presigner, load), load };
}

/** The S3 endpoint as browsers reach it. */
export function publicEndpointOf(config: StorageConfig): string {
  return config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT;
}
