import type { IncomingHttpHeaders } from "node:http";

/** Converts Node's headers to the `Headers` of the Fetch standard. */
export function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
    ),
  );
}
