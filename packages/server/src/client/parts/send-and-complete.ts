import { calls, StowageError, type ErrorCode, type File, type StoredPart } from "@stowage/schemas";
import { retryCall } from "../../service-api/retry.js";
import { discardUpload } from "../discard-upload.js";
import { IncompleteUploadError } from "../incomplete-upload-error.js";
import { isEndedUpload } from "../put-bytes.js";
import { isTooLong } from "../read-chunks.js";
import type { UploadJob } from "../upload-job.js";
import { checkSentParts, checkStoredFile } from "./check-stored-file.js";
import type { ExpectedEtag } from "./etags.js";
import { listStoredParts } from "./list-stored-parts.js";
import { sendParts, type PartsUpload } from "./send-parts.js";

/**
 * Sends the parts that storage does not have, and completes the upload.
 *
 * @param stored the parts that storage has. Those whose bytes equal the source's are not sent. A new upload has none
 * @throws {IncompleteUploadError} when the upload can be resumed
 * @throws {StowageError} when it cannot
 * @throws the signal's reason
 */
export async function sendAndComplete(
  job: UploadJob,
  upload: PartsUpload,
  stored: readonly StoredPart[],
): Promise<File> {
  const { file, sent } = await keepOrDiscard(job, upload, () => sendInRounds(job, upload, stored));
  // Another process may have sent parts of another file. An abort during the comparison must not delete what that process completed.
  if (sent === "ended") await checkStoredFile(file, job, upload.partSizeBytes);
  else checkSentParts(file, sent);
  return file;
}

/** Decides what happens to an upload that fails or is aborted. */
async function keepOrDiscard<T>(
  job: UploadJob,
  { filePath }: PartsUpload,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (job.signal.aborted) {
      // Not awaited: an aborted call rejects at once.
      if (!job.input.keepOnAbort) void discardUpload(job, filePath);
      throw thrown;
    }
    if (isTooLong(thrown)) await discardUpload(job, filePath);
    else if (thrown instanceof StowageError && !ENDED.includes(thrown.code)) {
      throw new IncompleteUploadError(await explain(job, thrown), filePath);
    }
    throw thrown;
  }
}

/** Storage refuses a part whose file was changed while it was sent. Its answer does not name that reason. */
async function explain({ source }: UploadJob, failure: StowageError): Promise<StowageError> {
  if (failure.code !== "invalid_request") return failure;
  return source.checkUnchanged().then(
    () => failure,
    (changed: StowageError) => changed,
  );
}

/** With one of these codes, the upload does not exist any more. */
const ENDED: readonly ErrorCode[] = ["upload_already_stored", "upload_expired", "file_not_found"];

/** More than one round is needed only if storage has lost parts. */
const MAX_ROUNDS = 3;

interface Completed {
  file: File;
  sent: ExpectedEtag | "ended";
}

async function sendInRounds(
  job: UploadJob,
  upload: PartsUpload,
  alreadyStored: readonly StoredPart[],
): Promise<Completed> {
  let stored: readonly StoredPart[] | undefined = alreadyStored;
  for (let round = 1; ; round++) {
    const sent = await sendUntilEnded(job, upload, stored);
    try {
      return { file: await complete(job, upload), sent };
    } catch (thrown) {
      const isIncomplete = thrown instanceof StowageError && thrown.code === "upload_incomplete";
      if (!isIncomplete || !job.source.isReadableAgain || round >= MAX_ROUNDS) throw thrown;
      job.progress.reset();
      stored = undefined;
    }
  }
}

/**
 * @param stored the parts that storage has. If it is undefined, storage is asked
 * @returns "ended" if storage does not know the upload any more: it was completed, or it is lost
 */
async function sendUntilEnded(
  job: UploadJob,
  upload: PartsUpload,
  stored: readonly StoredPart[] | undefined,
): Promise<Completed["sent"]> {
  try {
    return await sendParts(job, upload, stored ?? (await listStoredParts(job, upload.filePath)).parts);
  } catch (thrown) {
    if (!job.source.isReadableAgain) throw thrown;
    if (!isEndedUpload(thrown) && !isAlreadyStored(thrown)) throw thrown;
    return "ended";
  }
}

export function isAlreadyStored(thrown: unknown): boolean {
  return thrown instanceof StowageError && thrown.code === "upload_already_stored";
}

async function complete({ deps, input, signal }: UploadJob, { filePath }: PartsUpload): Promise<File> {
  const body = { file_path: filePath, tenant_id: input.tenantId };
  const request = () => deps.service.call(calls.completeUpload, body, signal);
  return (await retryCall(request, deps.partRetry, signal)).body;
}
