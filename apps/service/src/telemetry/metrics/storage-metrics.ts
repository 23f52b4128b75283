import type { Registry } from "prom-client";
import { type StoreOperation, watchedOperations } from "#health/watch-store.js";
import type { CallEnd } from "#lib/time-call.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { s3Operations } from "../s3-operations.js";
import { cacheReading } from "./cached-reading.js";
import { addGauge, addHistogram } from "./families.js";

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Requests to object storage. */
export function addStorageMetrics(registry: Registry, { store }: { store: Pick<ObjectStore, "check"> }) {
  const requests = addHistogram(registry, {
    name: "stowage_storage_request_duration_seconds",
    help: "Requests to object storage, each with its second attempt. outcome is ok or error; a missing object is ok.",
    labelNames: ["rpc_method", "outcome"] as const,
    buckets: SECONDS,
  });
  for (const operation of watchedOperations) {
    for (const outcome of ["ok", "error"]) requests.zero({ rpc_method: s3Operations[operation], outcome });
  }
  const check = cacheReading(() => store.check().then(() => true));
  addGauge(registry, {
    name: "stowage_storage_up",
    help: "1 if storage answers this process and has the bucket, 0 if not. Checked at most every 5 seconds.",
    async collect() {
      this.set((await check()) === true ? 1 : 0);
    },
  });
  return {
    onRequest(operation: StoreOperation, { seconds, error }: CallEnd): void {
      requests.observe(
        { rpc_method: s3Operations[operation], outcome: error === undefined ? "ok" : "error" },
        seconds,
      );
    },
  };
}
