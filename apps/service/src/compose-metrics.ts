import type { FastifyBaseLogger } from "fastify";
import { type Config, toListenError } from "./config.js";
import type { MetricsDeps, ServiceMetrics, WorkerMetrics } from "./telemetry/metrics/metrics.js";
import { type MetricsServer, type MetricsSource, serveMetrics } from "./telemetry/metrics/serve-metrics.js";

/*
 * The metrics as the settings describe them. Only compose.ts and compose-cli.ts use this file.
 */

type MetricsConfig = Pick<Config, "METRICS_HOST" | "METRICS_PORT">;

/** Loads prom-client and the metrics of the service. Null: METRICS_PORT is not set, and nothing is loaded. */
export async function composeMetrics(
  config: MetricsConfig,
  deps: MetricsDeps,
): Promise<ServiceMetrics | null> {
  if (config.METRICS_PORT === undefined) return null;
  return (await import("./telemetry/metrics/metrics.js")).createServiceMetrics(deps);
}

/** The same for `stowage worker`. */
export async function composeWorkerMetrics(
  config: MetricsConfig,
  deps: MetricsDeps,
): Promise<WorkerMetrics | null> {
  if (config.METRICS_PORT === undefined) return null;
  return (await import("./telemetry/metrics/metrics.js")).createWorkerMetrics(deps);
}

/**
 * Serves metrics on METRICS_PORT. Does nothing for null.
 *
 * @throws {ConfigError} if the port cannot be used
 */
export async function listenForMetrics(
  metrics: { registry: MetricsSource } | null,
  { METRICS_HOST: host, METRICS_PORT: port = 0 }: MetricsConfig,
  log: FastifyBaseLogger,
): Promise<MetricsServer | null> {
  if (!metrics) return null;
  try {
    const server = await serveMetrics(metrics.registry, { host, port });
    log.info(`metrics at ${server.url}`);
    return server;
  } catch (error) {
    throw toListenError(error, { host, port, prefix: "METRICS_" });
  }
}
