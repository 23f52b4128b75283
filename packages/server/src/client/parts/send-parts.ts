import { calls, type SignedPart, type StoredPart } from "@stowage/schemas";
import { linkController } from "../../linked-controller.js";
import { createKeepAliveAgents, type KeepAliveAgents } from "../../node-http.js";
import { retryCall } from "../../service-api/retry.js";
import { putBytes } from "../put-bytes.js";
import type { UploadJob } from "../upload-job.js";
import { type ExpectedEtag, expectEtag } from "./etags.js";
import { prepareParts, type PreparedPart } from "./prepare-parts.js";

/** An upload by parts that the service has opened. */
export interface PartsUpload {
  filePath: string;
  partSizeBytes: number;
}

/**
 * PUTs the parts that storage does not have, several at the same time. When it returns or throws, no PUT is running.
 *
 * @returns the ETag of the object that storage has to make of the parts
 * @throws {StowageError} the first failure of a part after its retries
 */
export async function sendParts(
  job: UploadJob,
  upload: PartsUpload,
  stored: readonly StoredPart[],
): Promise<ExpectedEtag> {
  const { deps } = job;
  // The first failure ends the other PUTs.
  const { controller, unlink } = linkController(job.signal);
  const { signal } = controller;
  const agents = createKeepAliveAgents();
  const etag = expectEtag();
  const sender: Sender = { job, filePath: upload.filePath, agents, etag, signal };
  const parts = prepareParts({
    job,
    partSizeBytes: upload.partSizeBytes,
    stored,
    etag,
    signParts: (group) => retryCall(() => signParts(sender, group), deps.partRetry, signal),
    signal,
  });
  const running = new Set<Promise<void>>();
  const work = async () => {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const part = next.value;
      if (part.waitsForOthers) await Promise.all(running);
      const sending = sendPart(sender, part);
      running.add(sending);
      await sending;
      running.delete(sending);
    }
  };
  const workers = Array.from({ length: job.parts.concurrency }, () =>
    work().catch((thrown) => controller.abort(thrown)),
  );
  try {
    await Promise.all(workers);
    signal.throwIfAborted();
    return etag;
  } finally {
    unlink();
    agents.destroy();
  }
}

interface Sender {
  job: UploadJob;
  filePath: string;
  agents: KeepAliveAgents;
  etag: ExpectedEtag;
  signal: AbortSignal;
}

/** A retry always asks for a fresh URL: the old one may have expired, and the call costs little beside a part. */
async function sendPart(sender: Sender, part: PreparedPart): Promise<void> {
  const { job, agents, etag, signal } = sender;
  const { partRetry, stallTimeoutMs } = job.deps;
  let signed = part.signed;
  const attempt = async () => {
    const { presigned_url: url, headers } = signed ?? (await signParts(sender, [part]))[0]!;
    signed = undefined;
    const sent = job.progress.start();
    try {
      const agent = agents.of(url);
      const put = { url, headers, body: part, stallTimeoutMs, onProgress: sent.add, signal, agent };
      etag.comparePart(await putBytes(put), part.md5);
    } catch (thrown) {
      sent.takeBack();
      throw thrown;
    }
  };
  await retryCall(attempt, partRetry, signal);
}

async function signParts(
  { job, filePath, signal }: Sender,
  parts: readonly PreparedPart[],
): Promise<SignedPart[]> {
  const body = {
    file_path: filePath,
    tenant_id: job.input.tenantId,
    parts: parts.map(({ number, md5 }) => ({ number, content_md5: md5.toString("base64") })),
  };
  return (await job.deps.service.call(calls.signParts, body, signal)).body.parts;
}
