import type { StoredPart } from "@stowage/schemas";
import type { PartComparison } from "../../resume/compare-parts.js";
import { canSendParts, type PartsTransport } from "../../transport.js";
import { UploadError } from "../../upload-error.js";
import type { OwnMultipart, UploadJob } from "../upload-job.js";
import { createPartLimit } from "./part-limit.js";
import { createPartProgress } from "./part-progress.js";
import { createPartUrls } from "./part-urls.js";
import { runInParallel } from "./run-in-parallel.js";
import { type PartRun, sendPart } from "./send-part.js";
import { createComparison, findStoredParts } from "./stored-parts.js";

/** The next part is read while one is hashed. */
const COMPARED_AT_ONCE = 2;

/**
 * Brings the parts of a file to storage that are not there yet. Several parts are sent at the same time, each with its own
 * retries and deadline. Parts that storage has are compared with the file meanwhile. Those that differ are replaced.
 *
 * Two files never become one. The service completes an upload as soon as no part is missing. So the last missing part is sent
 * alone, after all parts of another file have been replaced.
 *
 * It returns also when storage does not know the upload any more, because it may be complete: the caller asks the service.
 *
 * @param isNew whether storage has no part yet
 * @throws {UploadError} when a part failed for good. The parts in storage stay there. `different_file` if the upload is, or may
 *   be, complete with parts of another file
 */
export async function sendParts(job: UploadJob, multipart: OwnMultipart, isNew: boolean): Promise<void> {
  const { runtime, signal, onEvent } = job;
  const transport = partsTransport(job.transport);
  const { file_path: path, part_count: partCount, part_size: partSizeBytes } = multipart.ticket;
  const { file, numbers: own } = multipart.sent;
  const progress = createPartProgress({ sizeBytes: file.size, partSizeBytes }, onEvent);
  const comparison = createComparison(job, multipart);
  const foreign = new Map<number, StoredPart>();
  try {
    const found = isNew ? [] : await findStoredParts(job, transport, path);
    const isWhole = ({ number, size }: StoredPart) => size === progress.sizeOf(number);
    const stored = new Set(found.filter((part) => own.has(part.number) && isWhole(part)).map(numberOf));
    progress.addFound(stored);
    for (const part of found) if (!own.has(part.number)) foreign.set(part.number, part);
    const missing = numbersUpTo(partCount).filter((number) => !stored.has(number) && !foreign.has(number));
    const last = foreign.size > 0 ? lastToSend(missing, own) : [];
    const first = missing.filter((number) => !last.includes(number));
    const shared = { job, transport, file, path, partSizeBytes, own, foreign, progress };
    const limit = createPartLimit(runtime);
    let differing: number[] = [];

    function send(numbers: readonly number[], sendSignal: AbortSignal): Promise<void> {
      const urls = createPartUrls({ transport, runtime, path, signal, signed: multipart.signed }, numbers);
      const run: PartRun = { ...shared, limit, urls };
      return runInParallel(numbers, limit.current, sendSignal, (number, partSignal, turn) =>
        sendPart(run, number, partSignal, turn),
      );
    }
    async function compare(compareSignal: AbortSignal): Promise<void> {
      differing = await findDiffering(shared, comparison, missing.length > 0, compareSignal);
    }
    const sendFirst = (sendSignal: AbortSignal) => send(first, sendSignal);
    await runInParallel(
      [sendFirst, compare],
      () => 2,
      signal,
      (work, workSignal) => work(workSignal),
    );
    await send(differing, signal);
    await send(last, signal);
  } catch (cause) {
    if (signal.aborted || !mayBeComplete(cause as UploadError)) throw cause;
    // The service or another page may have completed it with these parts.
    for (const part of foreign.values()) {
      if (own.has(part.number) || (await comparison.isSame(part))) continue;
      throw new UploadError("different_file", { cause });
    }
    signal.throwIfAborted();
  } finally {
    comparison.close();
  }
}

/** The missing part to send last: if possible one that this page has not tried to send, because such a PUT may still arrive. */
function lastToSend(missing: readonly number[], tried: ReadonlySet<number>): number[] {
  const last = missing.findLast((number) => !tried.has(number)) ?? missing.at(-1);
  return last === undefined ? [] : [last];
}

/**
 * Compares the parts that this page has not sent with the file. Those with the same bytes count as its own.
 *
 * @param mayReplace whether a part is missing. Otherwise the service may complete the upload while parts are replaced
 * @returns the numbers of the parts to replace
 * @throws {UploadError} `different_file` if a part differs and must not be replaced
 */
async function findDiffering(
  { own, foreign, progress }: Pick<PartRun, "own" | "foreign" | "progress">,
  comparison: Pick<PartComparison, "isSame">,
  mayReplace: boolean,
  signal: AbortSignal,
): Promise<number[]> {
  const differing: number[] = [];
  await runInParallel(
    foreign.values(),
    () => COMPARED_AT_ONCE,
    signal,
    async (part) => {
      const isSame = await comparison.isSame(part);
      if (!isSame && !mayReplace) throw new UploadError("different_file");
      if (!isSame) return void differing.push(part.number);
      own.add(part.number);
      progress.addFound([part.number]);
    },
  );
  return differing;
}

function partsTransport(transport: UploadJob["transport"]): PartsTransport {
  if (canSendParts(transport)) return transport;
  throw new UploadError("unexpected_answer");
}

const numberOf = ({ number }: StoredPart) => number;
const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The service completes an upload by itself when all its parts are stored. Storage then knows no such upload. */
function mayBeComplete({ code, status }: UploadError): boolean {
  return code === "upload_already_stored" || (code === "storage_refused" && status === 404);
}
