import { Registry } from "prom-client";
import type { Database } from "#db/client.js";
import { addBackgroundMetrics } from "./background-metrics.js";
import { addDatabaseMetrics } from "./database-metrics.js";
import { addImageMetrics } from "./image-metrics.js";
import { addJobMetrics } from "./job-metrics.js";
import { addRequestMetrics } from "./request-metrics.js";
import { addRuntimeMetrics } from "./runtime-metrics.js";
import { addScanMetrics } from "./scan-metrics.js";
import { addStorageMetrics, type StorageMetricsDeps } from "./storage-metrics.js";
import { addUploadMetrics } from "./upload-metrics.js";
import { addWebhookMetrics } from "./webhook-metrics.js";

/*
 * The metrics of a process. Only a process with METRICS_PORT loads this file and prom-client.
 *
 * The label values of every metric are a fixed set: route patterns, codes, names of lanes, jobs, queues and storages. Never a tenant, project,
 * file, URL, address or key.
 */

export interface MetricsDeps extends StorageMetricsDeps {
  db: Database;
  clock: () => Date;
  version: string;
}

/** The metrics of the service. */
export function createServiceMetrics(deps: MetricsDeps) {
  const registry = createSharedMetrics(deps);
  addBackgroundMetrics(registry, deps);
  return {
    registry,
    requests: addRequestMetrics(registry),
    uploads: addUploadMetrics(registry, deps),
    storage: addStorageMetrics(registry, deps),
    webhooks: addWebhookMetrics(registry),
    jobs: addJobMetrics(registry, deps),
  };
}
export type ServiceMetrics = ReturnType<typeof createServiceMetrics>;

/** The metrics of `stowage worker`. */
export function createWorkerMetrics(deps: MetricsDeps) {
  const registry = createSharedMetrics(deps);
  return {
    registry,
    storage: addStorageMetrics(registry, deps),
    scans: addScanMetrics(registry),
    images: addImageMetrics(registry),
  };
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

function createSharedMetrics(deps: MetricsDeps): Registry {
  const registry = new Registry();
  addRuntimeMetrics(registry, deps);
  addDatabaseMetrics(registry, deps);
  return registry;
}
