import type { UploadTicket } from "./transport.js";

/** PUTs in a row that ended without an answer, though there is a connection; by the line that they took. */
const silentPuts = new WeakMap<object, number>();

/** As many, and a developer is told what to look at. */
const SUSPICIOUS_PUTS = 3;

// Of this module alone: bundlers know this spelling, and leave out of a page in production what hangs on it.
declare const process: { env: { NODE_ENV?: string } };

/** Keeps count of how PUTs end, in development. Never rejects. */
export async function notePut(
  line: { isLost(): Promise<boolean> },
  ticket: UploadTicket,
  wasAnswered: boolean,
): Promise<void> {
  try {
    if (process.env.NODE_ENV !== "production") {
      const isOver = wasAnswered || (await line.isLost());
      const puts = isOver ? 0 : (silentPuts.get(line) ?? 0) + 1;
      silentPuts.set(line, puts);
      if (puts === SUSPICIOUS_PUTS) (await import("./cors-checklist.js")).logCorsChecklist(ticket);
    }
  } catch {
    // Nothing defines `process` here, or the help could not be loaded: an upload does not depend on it.
  }
}
