import { describe, isSuccess, type Probe } from "../probe.js";

/** Where notifications go to, and with which secret; nulls for what is not configured. */
export interface EventsTarget {
  secret: string | null;
  /** Where the service answers, as storage reaches it. */
  serviceUrl: string | null;
}

/** Whether the service takes storage's notifications. Whether the bucket sends them, only its configuration tells. */
export function storageEvents({ secret, serviceUrl }: EventsTarget): Probe {
  return {
    name: "Storage events",
    async run(context) {
      const info = (found: string, whatToDo: string | null) => ({
        verdict: "info" as const,
        found,
        whatToDo,
      });
      if (secret === null) return info("not configured; the sweeper counts within 10 s", null);
      if (serviceUrl === null) {
        return info(
          "configured; not tried",
          "Name the service with --service URL to see whether it takes them.",
        );
      }
      const url = new URL("/internal/storage-events", serviceUrl).href;
      const answer = await context.send(url, {
        method: "POST",
        headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
        body: JSON.stringify({ Records: [] }),
      });
      if (isSuccess(answer)) {
        return {
          verdict: "ok",
          found: "the service takes them; the sweeper counts what no event tells of",
          whatToDo: null,
        };
      }
      return {
        verdict: "warn",
        found: `the service answered ${describe(answer)}`,
        whatToDo:
          "Start the service with the same STORAGE_EVENTS_SECRET; until then the sweeper counts within 10 s.",
      };
    },
  };
}
