import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RowTools } from "../row.js";
import type { Role } from "./pinning.js";
import { startChild } from "./start-child.js";

/** Object storage as a client sees it. */
export interface Store {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Starts the built dev-store over an empty folder in its own process. Both end with the row. */
export async function startDevStore(
  { atEnd }: Pick<RowTools, "atEnd">,
  role: Role,
): Promise<Store & { pid: number; dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-bench-"));
  atEnd(() => rm(dir, { recursive: true, force: true }));
  const store = {
    region: "us-east-1",
    bucket: "bench",
    accessKeyId: "bench",
    secretAccessKey: "a secret of the bench",
  };
  const child = await startChild<{ endpoint: string }>(import.meta.resolve("@stowage/dev-store/main"), {
    role,
    env: {
      DEV_STORE_DIR: dir,
      DEV_STORE_REGION: store.region,
      DEV_STORE_BUCKETS: store.bucket,
      DEV_STORE_ACCESS_KEY_ID: store.accessKeyId,
      DEV_STORE_SECRET_ACCESS_KEY: store.secretAccessKey,
    },
  });
  atEnd(() => child.stop());
  return { ...store, endpoint: child.ready.endpoint, pid: child.pid, dir };
}

/** The service's settings for this store. */
export function storeSettings(store: Store): Record<string, string> {
  return {
    S3_ENDPOINT: store.endpoint,
    S3_BUCKET: store.bucket,
    S3_REGION: store.region,
    S3_ACCESS_KEY_ID: store.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
}
