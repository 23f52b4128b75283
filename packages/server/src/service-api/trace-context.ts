// W3C Trace Context, level 1: https://www.w3.org/TR/trace-context/
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const STATE_MEMBER =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_STATE_LENGTH = 512;
const MAX_STATE_MEMBERS = 32;

/**
 * Returns the headers that let the service continue the trace of a browser's request: none for a request without a valid `traceparent`.
 * If the app has set up OpenTelemetry, its instrumentation sends these headers, with the app's own span. Instrumentation of `fetch` adds
 * them beside those of the call, and a request with two of them belongs to no trace, so there are none then either.
 */
export function traceHeadersOf({ headers }: Request): Record<string, string> {
  const traceparent = headers.get("traceparent");
  if (traceparent === null || !TRACEPARENT.test(traceparent) || hasOpenTelemetry()) return {};
  const tracestate = headers.get("tracestate");
  return tracestate !== null && isState(tracestate) ? { traceparent, tracestate } : { traceparent };
}

function isState(text: string): boolean {
  if (text.length > MAX_STATE_LENGTH) return false;
  const members = text.split(",").map((member) => member.trim());
  const given = members.filter((member) => member !== "");
  return (
    given.length > 0 &&
    members.length <= MAX_STATE_MEMBERS &&
    given.every((member) => STATE_MEMBER.test(member))
  );
}

/** The name under which all copies of `@opentelemetry/api` share what an app has set up. */
const OPENTELEMETRY = Symbol.for("opentelemetry.js.api.1");

function hasOpenTelemetry(): boolean {
  const api = (globalThis as { [OPENTELEMETRY]?: { trace?: unknown } })[OPENTELEMETRY];
  return api?.trace !== undefined;
}
