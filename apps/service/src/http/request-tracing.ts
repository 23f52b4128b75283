import type { FastifyInstance, onRequestHookHandler } from "fastify";

/** Traces requests. The implementation is in telemetry/, because it needs OpenTelemetry, which is loaded only if tracing is on. */
export interface RequestTracing {
  /** Adds its hooks. Call it before other hooks are added whose work belongs to the trace. */
  install(app: FastifyInstance): void;
  /** A hook that runs when the key of a customer's request has been accepted. */
  onKeyAccepted: onRequestHookHandler;
}
