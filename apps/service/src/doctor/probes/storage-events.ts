import { describe, isSuccess, type Probe, type ProbeResult } from "../probe.js";

/** The service's endpoint for storage events. Nulls for values that are not configured. */
export interface EventsTarget {
  secret: string | null;
  /** The service's URL, as storage reaches it. */
  serviceUrl: string | null;
}

/** Whether the service accepts storage events. The probe cannot tell whether the bucket is configured to send them. */
export function storageEvents({ secret, serviceUrl }: EventsTarget): Probe {
  return {
    name: "Storage events",
    async run(context) {
      if (secret === null)
        return info("not configured; the sweeper finds new uploads within 10 seconds", null);
      if (serviceUrl === null)
        return info(
          "configured, but not checked",
          "Name the service with --service URL to check whether it accepts events.",
        );
      const url = new URL("/internal/storage-events", serviceUrl).href;
      const response = await context.send(url, {
        method: "POST",
        headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
        body: JSON.stringify({ Records: [] }),
      });
      if (isSuccess(response)) {
        return {
          verdict: "ok",
          found: "the service accepts them; the sweeper finds uploads without an event",
          whatToDo: null,
        };
      }
      return {
        verdict: "warn",
        found: `the service answered ${describe(response)}`,
        whatToDo:
          "Start the service with the same STORAGE_EVENTS_SECRET. Until then the sweeper finds new uploads within 10 seconds.",
      };
    },
  };
}

function info(found: string, whatToDo: string | null): ProbeResult {
  return { verdict: "info", found, whatToDo };
}
