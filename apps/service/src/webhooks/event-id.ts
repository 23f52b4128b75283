import type { RandomBytes } from "#lib/random.js";

/*
 * The ids of events are UUIDs of version 7 (RFC 9562), which sort by time. The SQL function `fan_out_events` makes them too.
 */

export function createEventId(at: Date, randomBytes: RandomBytes): string {
  const hex = Buffer.from(randomBytes(10)).toString("hex");
  const variant = "89ab"[Number.parseInt(hex[3]!, 16) % 4]!;
  return `${timeOf(at)}-7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}

/** The first id that an event of this time can have. */
export function firstEventIdAt(at: Date): string {
  return `${timeOf(at)}-7000-8000-000000000000`;
}

function timeOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
