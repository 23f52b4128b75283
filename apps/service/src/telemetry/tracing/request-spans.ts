import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_URL_SCHEME,
} from "@opentelemetry/semantic-conventions";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RequestTracing } from "#http/request-tracing.js";
import type { Recorder } from "./recorder.js";

/** Probes and files of the dashboard: they would hide what matters. */
const UNTRACED = /^\/(healthz|readyz|openapi\.json|docs\/.*|assets\/.*|\*?)$/;
/** Their spans start when the key has been accepted. */
const NEEDS_KEY = /^\/api\/storage(\/|$)/;

/**
 * Records a span for each request.
 *
 * - A request with a valid API key continues the trace that its header `traceparent` names, and the sampler may follow the choice of
 *   that trace. The span starts when the key has been accepted: a request without a valid key has none, also if its headers ask for one.
 * - A request of the dashboard starts a trace of its own: its headers come from anywhere.
 *
 * A span has the route's pattern and never the path, which may contain a token, and no address of a client.
 */
export function createRequestSpans(recorder: Recorder): RequestTracing {
  const propagator = new W3CTraceContextPropagator();
  const spans = new WeakMap<FastifyRequest, Span>();

  function start(request: FastifyRequest, reply: FastifyReply, parent: Context, done: () => void): void {
    const { method, protocol, routeOptions } = request;
    const route = routeOptions.url ?? "unknown";
    const attributes = {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      [ATTR_HTTP_ROUTE]: route,
      [ATTR_URL_SCHEME]: protocol,
      ...(request.projectId > 0 && { "stowage.project.id": request.projectId }),
    };
    const startTime = Date.now() - reply.elapsedTime;
    const options = { kind: SpanKind.SERVER, attributes, startTime };
    const span = recorder.startSpan(`${method} ${route}`, options, parent);
    if (!span.isRecording()) return done();
    spans.set(request, span);
    reply.raw.once("close", () => end(span, reply));
    recorder.runIn(span, done);
  }

  /** Runs the rest below the span of the request, because the events of its body come in the context of its connection. */
  function resume(request: FastifyRequest, done: () => void): void {
    const span = spans.get(request);
    if (span) recorder.runIn(span, done);
    else done();
  }

  return {
    install(app: FastifyInstance) {
      app.addHook("onRequest", (request, reply, done) => {
        const route = request.routeOptions.url;
        if (route === undefined || NEEDS_KEY.test(route) || UNTRACED.test(route)) done();
        else start(request, reply, ROOT_CONTEXT, done);
      });
      app.addHook("preValidation", (request, _reply, done) => resume(request, done));
      app.addHook("onResponse", (request, _reply, done) => resume(request, done));
    },
    onKeyAccepted(request, reply, done) {
      start(request, reply, propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter), done);
    },
  };
}

function end(span: Span, reply: FastifyReply): void {
  const { statusCode, raw } = reply;
  const code = reply.getHeader("X-Error-Code");
  if (typeof code === "string") span.setAttribute("stowage.error.code", code);
  if (!raw.writableFinished) {
    // Not an error of the server, but the status was not received.
    span.setAttribute(ATTR_ERROR_TYPE, "client_disconnected");
  } else {
    span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, statusCode);
    if (statusCode >= 500) {
      span.setAttribute(ATTR_ERROR_TYPE, String(statusCode));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
  }
  span.end();
}
