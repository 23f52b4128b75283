import { randomUUID } from "node:crypto";
import { diag, DiagLogLevel } from "@opentelemetry/api";
import { setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions";
import { MINUTE_MS } from "#lib/time.js";
import type { SamplingSettings } from "./sampler.js";
import { createTracing, type Tracing } from "./tracing.js";

export interface StartTracingOptions extends SamplingSettings {
  version: string;
  /** Called at most once a minute, when spans cannot be exported or are lost. The message contains no URL and no header. */
  onProblem(message: string): void;
}

/**
 * Starts to record and export spans. The SDK reads the other variables OTEL_EXPORTER_OTLP_…, OTEL_BSP_… and OTEL_RESOURCE_ATTRIBUTES
 * itself. A span waits in a bounded queue, and is lost if the queue is full. An export has a time limit, and no request waits for it.
 */
export function startTracing({ version, onProblem, ...sampling }: StartTracingOptions): Tracing {
  const report = oncePerMinute(onProblem);
  setGlobalErrorHandler((error) => report(`spans could not be exported: ${describe(error)}`));
  const logger = { error: report, warn: report, info() {}, debug() {}, verbose() {} };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const own = {
    [ATTR_SERVICE_NAME]: "stowage",
    [ATTR_SERVICE_VERSION]: version,
    "service.instance.id": randomUUID(),
  };
  return createTracing({
    ...sampling,
    version,
    processor: new BatchSpanProcessor(new OTLPTraceExporter()),
    resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
  });
}

function oncePerMinute(report: (message: string) => void): (message: string) => void {
  let quietUntil = -Infinity;
  return (message) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + MINUTE_MS;
    report(message);
  };
}

/** The message of an error may contain the collector's address, and its answer may quote the request. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? "an error of the SDK" : typeof error;
  const { code, name } = error as NodeJS.ErrnoException;
  return code === undefined ? name : `${name} ${code}`;
}
