import { composeDatabase } from "#compose-adapters.js";
import { composeBuckets } from "#compose-storage.js";
import { composeMetrics, composeWorkerMetrics } from "#compose-metrics.js";
import { readConfig } from "#config.js";

export interface MetricDefinition {
  name: string;
  type: string;
  labels: string[];
  help: string;
}

/** What the registry of a process defines. Nothing is read, so nothing connects. */
export async function readDefinitions(process: "service" | "worker"): Promise<MetricDefinition[]> {
  const config = readConfig({
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
    S3_ENDPOINT: "http://127.0.0.1:1",
    S3_BUCKET: "nothing",
    S3_ACCESS_KEY_ID: "nobody",
    S3_SECRET_ACCESS_KEY: "nothing",
    METRICS_PORT: "0",
  });
  const deps = {
    db: composeDatabase(config),
    storages: [{ name: null, bucket: composeBuckets(config).private }],
    clock: () => new Date(),
    version: "0",
  };
  const compose = process === "service" ? composeMetrics : composeWorkerMetrics;
  const { registry } = (await compose(config, deps))!;
  // prom-client's types leave these members out.
  const metrics = registry.getMetricsAsArray() as unknown as Definition[];
  return metrics.map(({ name, type, labelNames, help }) => ({ name, type, labels: [...labelNames], help }));
}

interface Definition {
  name: string;
  type: string;
  labelNames: readonly string[];
  help: string;
}
