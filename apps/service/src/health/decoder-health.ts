import type { Queries } from "#db/client.js";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";
import { readNote, readSignals } from "#db/signals.js";

/** How often a worker proves that it can decode images. */
export const DECODER_CHECK_INTERVAL_MS = 30 * SECOND_MS;
/** A worker that still has its problem has reported it again within this time. */
const REPORT_LASTS_MS = 2 * MINUTE_MS;

/** What workers reported about their image decoders within the last two minutes. */
export interface DecoderHealth {
  /** Why a worker can decode no image, in words; null if all workers can. */
  problem: string | null;
  /** Whether a worker runs on a system that does not limit the memory of its decoders. */
  isMemoryUnlimited: boolean;
}

/** @throws {StowageError} `unavailable` */
export async function readDecoderHealth(deps: { db: Queries; clock: () => Date }): Promise<DecoderHealth> {
  const [signals, note] = await Promise.all([
    readSignals(deps.db),
    readNote(deps.db, "image_decoder_failure"),
  ]);
  const isNow = (at: string | null) =>
    at !== null && deps.clock().getTime() - Date.parse(at) < REPORT_LASTS_MS;
  return {
    problem: isNow(signals.image_decoder_failure) ? (note ?? "no image can be decoded") : null,
    isMemoryUnlimited: isNow(signals.image_decoder_unlimited),
  };
}
