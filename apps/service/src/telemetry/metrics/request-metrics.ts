import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { errorCatalogue } from "@stowage/schemas";
import type { Registry } from "prom-client";
import { addCounter, addGauge, addHistogram } from "./families.js";

/** An answer of the public port. */
export interface Answer {
  method: string;
  /** The pattern of the route; undefined for a path that no route has. */
  route: string | undefined;
  status: number;
  seconds: number;
  /** The error's code of the catalogue; undefined for other answers. */
  code: string | undefined;
}

/** OpenTelemetry's buckets of `http.server.request.duration`. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);

export function addRequestMetrics(registry: Registry) {
  const durations = addHistogram(registry, {
    name: "http_server_request_duration_seconds",
    help: "Answered requests of the public port by the pattern of their route. Without http_route: a path that no route has.",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"] as const,
    buckets: SECONDS,
  });
  let activeRequests = 0;
  addGauge(registry, {
    name: "http_server_active_requests",
    help: "Requests of the public port without an answer yet, with the open event streams of the dashboard.",
    collect() {
      this.set(activeRequests);
    },
  });
  const errors = addCounter(registry, {
    name: "stowage_errors_total",
    help: "Answers with an error, by its code in docs/errors.",
    labelNames: ["code"] as const,
  });
  for (const code of Object.keys(errorCatalogue)) errors.inc({ code }, 0);

  return {
    /** Called once for each request. It adds about a microsecond, so it builds nothing but the labels. */
    onAnswer({ method, route = "", status, seconds, code }: Answer): void {
      durations.observe(
        {
          http_request_method: methods.has(method) ? method : "_OTHER",
          http_route: route,
          http_response_status_code: status,
        },
        seconds,
      );
      if (code !== undefined) errors.inc({ code });
    },
    /** Counts the running requests of the public port. Call it before the server listens. */
    watchServer(server: Server): void {
      server.on("request", (_request: IncomingMessage, response: ServerResponse) => {
        activeRequests++;
        response.on("close", () => activeRequests--);
      });
    },
  };
}
