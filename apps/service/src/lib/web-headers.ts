import type { IncomingHttpHeaders } from "node:http";

/** Node's headers as the web's. */
export function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
    ),
  );
}
