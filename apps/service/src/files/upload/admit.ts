import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { batchCalls } from "#lib/batch-calls.js";
import type { Admission, AdmissionResult, Admit } from "./admission.js";
import { admitUploads, type Verdict } from "./admit-uploads.js";

/** Two keep the database busy while the answers of one are written; more would only make each of them smaller. */
const STATEMENTS_AT_ONCE = 2;
/** A statement this large takes some ten milliseconds, which is what the next upload may have to wait for. */
const UPLOADS_AT_ONCE = 100;
/** Waiting uploads: more could not be served before their deadline. */
const LONGEST_LINE = 2000;
/** Each further look is taken when others wrote, or took part of what is left, at the same moment. */
const MOST_LOOKS = 20;
const RETRY_AFTER_SECONDS = 1;

/**
 * Uploads that come while others are being let in share one SQL statement with each other: the more come at once, the less
 * each of them costs the database, and none waits for company.
 */
export function admitTogether(db: Queries, { patienceMs }: { patienceMs: number }): Admit {
  const look = batchCalls((uploads: Admission[]) => admitUploads(db, uploads), {
    callsAtOnce: STATEMENTS_AT_ONCE,
    inputsAtOnce: UPLOADS_AT_ONCE,
    longestLine: LONGEST_LINE,
    patienceMs,
  });
  return (upload) => untilDecided(() => look(upload));
}

/** In a statement of its own: for an upload that is part of a transaction. */
export function admitAlone(db: Queries): Admit {
  return (upload) => untilDecided(async () => (await admitUploads(db, [upload]))[0]!);
}

async function untilDecided(look: () => Promise<Verdict>): Promise<AdmissionResult> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const verdict = await look();
    if (verdict.outcome !== "again") return verdict;
  }
  throw new StowageError("unavailable", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error("too many uploads of one tenant at once"),
  });
}
