import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { Resource } from "@opentelemetry/resources";
import { BasicTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Lane } from "#db/client.js";
import type { StatementObserver } from "#db/driver/observe-statements.js";
import type { RequestTracing } from "#http/request-tracing.js";
import type { BatchObserver } from "#db/traffic/batches.js";
import type { Bucket } from "#object-store/object-store.js";
import type { TraceDelivery } from "#webhooks/deliver.js";
import { createBatchSpans } from "./batch-spans.js";
import { createDeliverySpans } from "./delivery-spans.js";
import { createRecorder } from "./recorder.js";
import { createRequestSpans } from "./request-spans.js";
import { createSampler, type SamplingSettings } from "./sampler.js";
import { createStatementSpans } from "./statement-spans.js";
import { traceStore } from "./storage-spans.js";

/** What records spans, for each part of the service. `compose.ts` passes them on; without tracing, no part has any. */
export interface Tracing {
  requests: RequestTracing;
  statements: (lane: Lane) => StatementObserver;
  /** @param name what happens to an input */
  batches(name: string): BatchObserver;
  store(store: Bucket, bucket: string): Bucket;
  deliveries: TraceDelivery;
  /** The W3C `traceparent` of the active span. */
  traceparent(): string | undefined;
  /** Members for each line of the log that is written in a trace. */
  logFields(): Record<string, string>;
  /** Exports the spans that are waiting, for at most so long. Never rejects. */
  shutdown(limitMs: number): Promise<void>;
}

export interface TracingOptions extends SamplingSettings {
  processor: SpanProcessor;
  resource: Resource;
  version: string;
}

export function createTracing({ processor, resource, version, ...sampling }: TracingOptions): Tracing {
  const provider = new BasicTracerProvider({
    sampler: createSampler(sampling),
    resource,
    spanProcessors: [processor],
  });
  const recorder = createRecorder(provider.getTracer("stowage", version));
  const propagator = new W3CTraceContextPropagator();
  return {
    requests: createRequestSpans(recorder),
    statements: createStatementSpans(recorder),
    batches: (name) => createBatchSpans(recorder, name),
    store: (store, bucket) => traceStore(recorder, store, bucket),
    deliveries: createDeliverySpans(recorder),
    traceparent() {
      const span = recorder.activeSpan();
      if (!span) return undefined;
      const headers: { traceparent?: string } = {};
      propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, {
        set: (carrier, name, value) => Object.assign(carrier, { [name]: value }),
      });
      return headers.traceparent;
    },
    logFields() {
      const context = recorder.activeSpan()?.spanContext();
      return context ? { trace_id: context.traceId, span_id: context.spanId } : {};
    },
    async shutdown(limitMs) {
      const ended = provider.shutdown().catch(() => undefined);
      const limit = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
      await Promise.race([ended, limit]);
    },
  };
}
