import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { ATTR_ERROR_TYPE } from "@opentelemetry/semantic-conventions";

/**
 * The spans of this process. Nothing is registered in the global API of OpenTelemetry, so a library that looks there finds no tracer:
 * its spans could contain what the service keeps out of its own.
 */
export interface Recorder {
  /** Starts a span below another context: `ROOT_CONTEXT`, or one that a request brought. */
  startSpan(name: string, options: SpanOptions, parent: Context): Span;
  /** Starts a span below the active one. Undefined if there is none: then nothing is traced here. */
  startChild(name: string, options: SpanOptions): Span | undefined;
  /** Runs `work`, and everything that it starts, with this active span. Undefined: without any. */
  runIn<T>(span: Span | undefined, work: () => T): T;
  activeSpan(): Span | undefined;
}

export function createRecorder(tracer: Tracer): Recorder {
  const active = new AsyncLocalStorage<Span | undefined>();
  return {
    startSpan: (name, options, parent) => tracer.startSpan(name, options, parent),
    startChild(name, options) {
      const parent = active.getStore();
      return parent && tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
    },
    // Spans that are not sampled are not made active, so nothing below them costs anything.
    runIn: (span, work) => active.run(span?.isRecording() ? span : undefined, work),
    activeSpan: () => active.getStore(),
  };
}

/** Ends the span of a call that failed. An error's message may contain an address or a value, so only its type is recorded. */
export function endWithError(span: Span, error: unknown, type: string = typeOf(error)): void {
  span.setAttribute(ATTR_ERROR_TYPE, type);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Runs `work` below a span that ends with it. */
export async function inSpan<T>(recorder: Recorder, span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await recorder.runIn(span, work);
    span.end();
    return result;
  } catch (error) {
    endWithError(span, error);
    throw error;
  }
}

/** The code of an expected error, such as `unavailable` or `ECONNREFUSED`, or else its class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
