import type { Registry } from "prom-client";
import { type StoreOperation, watchedOperations } from "#health/watch-store.js";
import type { CallEnd } from "#lib/time-call.js";
import type { Bucket } from "#object-store/object-store.js";
import { s3Operations } from "../s3-operations.js";
import { cacheReading } from "./cached-reading.js";
import { addGauge, addHistogram } from "./families.js";

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface StorageMetricsDeps {
  /** The bucket of each storage. Its name is a label, except of the only one. */
  storages: { name: string | null; bucket: Pick<Bucket, "check"> }[];
}

/** Requests to object storage. */
export function addStorageMetrics(registry: Registry, { storages }: StorageMetricsDeps) {
  const requests = addHistogram(registry, {
    name: "stowage_storage_request_duration_seconds",
    help: "Requests to object storage, each with its second attempt. outcome is ok or error; a missing object is ok.",
    labelNames: ["rpc_method", "outcome", "storage"] as const,
    buckets: SECONDS,
  });
  for (const { name } of storages)
    for (const operation of watchedOperations) {
      for (const outcome of ["ok", "error"])
        requests.zero({ rpc_method: s3Operations[operation], outcome, ...labelOf(name) });
    }
  const checks = storages.map(({ name, bucket }) => ({
    name,
    check: cacheReading(() => bucket.check().then(() => true)),
  }));
  addGauge(registry, {
    name: "stowage_storage_up",
    help: "1 if storage answers this process and has the bucket, 0 if not. Checked at most every 5 seconds.",
    labelNames: ["storage"] as const,
    async collect() {
      await Promise.all(
        checks.map(async ({ name, check }) => this.set(labelOf(name), (await check()) === true ? 1 : 0)),
      );
    },
  });
  return {
    /** @param storage its name; null for the only one */
    onRequest(storage: string | null, operation: StoreOperation, { seconds, error }: CallEnd): void {
      const outcome = error === undefined ? "ok" : "error";
      requests.observe({ rpc_method: s3Operations[operation], outcome, ...labelOf(storage) }, seconds);
    },
  };
}

const labelOf = (storage: string | null) => (storage === null ? {} : { storage });
