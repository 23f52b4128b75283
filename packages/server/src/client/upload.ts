import type { File } from "@stowage/schemas";
import { linkController } from "../linked-controller.js";
import { openSource } from "./open-source.js";
import { resumeUpload } from "./parts/resume-upload.js";
import { uploadByParts } from "./parts/upload-by-parts.js";
import { trackProgress } from "./progress.js";
import { putWhole } from "./put-whole.js";
import { isUploadedByParts, readPartOptions, type UploadInput } from "./upload-input.js";
import type { UploadDeps, UploadJob } from "./upload-job.js";

/**
 * Uploads one file: a small one with one PUT, a large one by parts.
 *
 * @throws {TypeError} when a member of the input is missing or wrong
 * @throws {StowageError} the service's refusal; `unavailable` when storage cannot be reached; `invalid_request` when the bytes
 * cannot be read or their number differs from the announced size
 * @throws {IncompleteUploadError} for an upload by parts that can be resumed
 * @throws the signal's reason
 */
export async function upload(deps: UploadDeps, input: UploadInput, signal: AbortSignal): Promise<File> {
  const parts = readPartOptions(input);
  const source = await openSource(input);
  const { controller, unlink } = linkController(signal);
  const progress = trackProgress(source.sizeBytes, input.onProgress, (thrown) => controller.abort(thrown));
  const job: UploadJob = { deps, input, parts, source, progress, signal: controller.signal };
  try {
    controller.signal.throwIfAborted();
    return await run(job);
  } catch (thrown) {
    controller.signal.throwIfAborted();
    throw thrown;
  } finally {
    unlink();
    source.release();
  }
}

async function run(job: UploadJob): Promise<File> {
  const { deps, input, parts, source } = job;
  if (input.resume !== undefined) return resumeUpload(job, input.resume);
  // The MD5 of a stream is known when it has been read. Each part is held in memory, so it has one.
  const needsParts = deps.storage.demandsMd5 && !source.isReadableAgain && input.contentMd5 === undefined;
  const multipartFrom = needsParts ? 0 : parts.multipartFrom;
  if (!isUploadedByParts(input, { ...parts, multipartFrom }, source.sizeBytes)) return putWhole(job);
  return uploadByParts(job);
}
