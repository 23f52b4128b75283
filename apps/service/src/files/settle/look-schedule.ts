import type { FileStatus } from "@stowage/schemas";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** While a URL lives its upload can end at any moment: look often when it is young, and never less than this. */
const SHORTEST_MS = 1 * SECOND;
const LONGEST_MS = 8 * SECOND;

/**
 * A PUT that began before its URL lapsed may go on long after, and a replay may have changed what is there: looks after the
 * lapse, the last of them a day later. The first leaves the clocks of storage and service some seconds apart.
 */
const AFTER_LAPSE_MS = [5 * SECOND, HOUR / 6, HOUR, 6 * HOUR, 24 * HOUR];

/** When to look for the bytes of an upload that was asked for at `now`. */
export function firstLookAt(now: Date): Date {
  return after(now, SHORTEST_MS);
}

/** From then on nobody can be writing to a path. */
export function lastLookAt(urlExpiresAt: Date): Date {
  return after(urlExpiresAt, AFTER_LAPSE_MS.at(-1)!);
}

/** When an upload that nobody made is given up: its reservation is returned then. */
export function lapsesAt(urlExpiresAt: Date): Date {
  return after(urlExpiresAt, AFTER_LAPSE_MS[0]!);
}

/**
 * When to look into storage next, or null when nothing can change any more. For a pending file intervals widen with its age
 * up to eight seconds, so that its PUT is seen within ten.
 */
export function nextLookAt(
  file: { status: FileStatus; createdAt: Date; urlExpiresAt: Date },
  now: Date,
): Date | null {
  if (file.status === "deleting") return now;
  if (file.status === "pending") {
    const ageMs = now.getTime() - file.createdAt.getTime();
    const soon = after(now, Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ageMs / 4)));
    const lapse = lapsesAt(file.urlExpiresAt);
    return soon < lapse || lapse <= now ? soon : lapse;
  }
  const next = AFTER_LAPSE_MS.map((ms) => after(file.urlExpiresAt, ms)).find((at) => at > now);
  return next ?? null;
}

/** For the path of a deleted file: every ten minutes while a URL lives, then as for any other, the last time at `until`. */
export function nextTombstoneLookAt(until: Date, now: Date): Date {
  const lapse = after(until, -AFTER_LAPSE_MS.at(-1)!);
  const soon = after(now, HOUR / 6);
  const afterLapse = AFTER_LAPSE_MS.map((ms) => after(lapse, ms)).find((at) => at > now) ?? until;
  return now < lapse && soon < afterLapse ? soon : afterLapse;
}

function after(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
