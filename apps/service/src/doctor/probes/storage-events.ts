import { describe, isAccepted, isSuccess, ok, type Probe, type ProbeResult, warn } from "../probe.js";

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
      const post = (bearer: string) =>
        context.send(url, {
          method: "POST",
          headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" },
          body: JSON.stringify({ Records: [] }),
        });
      const response = await post(secret);
      if (isSuccess(response)) {
        if (isAccepted(await post(`not-${secret}`)))
          return warn(
            "what answers there takes every secret, so it is not the service",
            "Name the service with --service: its own address, and not one of a proxy that answers with a page.",
          );
        return ok("the service accepts them; the sweeper finds uploads without an event");
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
