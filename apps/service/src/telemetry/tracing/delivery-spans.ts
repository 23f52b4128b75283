import { defaultTextMapSetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { parseTraceParent, W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
} from "@opentelemetry/semantic-conventions";
import type { TraceDelivery } from "#webhooks/deliver.js";
import type { Recorder } from "./recorder.js";

/**
 * Records a span for each try to deliver an event whose cause was traced. It starts a trace of its own, because a delivery may be tried for
 * days after its cause, and links to the cause. The receiver gets its `traceparent`.
 *
 * @param recorder its sampler must sample every span with a link: see sampler.ts
 */
export function createDeliverySpans(recorder: Recorder): TraceDelivery {
  const propagator = new W3CTraceContextPropagator();
  return async ({ type, tries, traceparent }, send) => {
    const cause = typeof traceparent === "string" ? parseTraceParent(traceparent) : null;
    if (!cause) return send({});
    const attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: "POST",
      "stowage.event.type": type,
      "stowage.delivery.tries": tries,
    };
    const options = { kind: SpanKind.CLIENT, attributes, links: [{ context: cause }] };
    const span = recorder.startSpan(`deliver ${type}`, options, ROOT_CONTEXT);
    const headers: Record<string, string> = {};
    propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter);
    const answer = await recorder.runIn(span, () => send(headers));
    if (answer.status !== null) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, answer.status);
    if (answer.status === null || answer.status >= 400) {
      span.setAttribute(ATTR_ERROR_TYPE, answer.status === null ? "no_answer" : String(answer.status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
    return answer;
  };
}
