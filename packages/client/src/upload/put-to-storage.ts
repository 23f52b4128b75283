import { hintOnce } from "../network/hint-once.js";
import { isLocalNetworkDenied } from "../network/local-network.js";
import type { PutOptions, PutTarget } from "../transport.js";
import { UploadError } from "../upload-error.js";
import type { md5Adder } from "../resume/compare-parts.js";
import { recordPut } from "./cors-warning.js";
import { putFile } from "./put-file.js";
import type { UploadJob } from "./upload-job.js";

/** Set once storage has refused a PUT for having no MD5, as a bucket with Object Lock does. */
let addMd5: ReturnType<typeof md5Adder> | undefined;

/**
 * PUTs a file or a part of one to storage, when the store has a free slot.
 *
 * @param ownPut the transport's own PUT, in place of the widget's
 * @throws {UploadError} storage_unreachable when there was no answer; local_network_denied if the browser refuses it
 */
export async function putToStorage(
  { id, runtime, network, putSlots, lineSpeed }: UploadJob,
  target: PutTarget,
  bytes: Blob,
  options: PutOptions,
  ownPut: ((options: PutOptions) => Promise<void>) | undefined,
): Promise<void> {
  const { signal } = options;
  const put = async () => {
    // Only now the file is on its way. Before, it waited for a slot.
    options.onProgress(0);
    if (ownPut) return ownPut(options);
    const startedMs = runtime.uptimeMs();
    const answerLimitMs = () => lineSpeed.answerLimitMs(bytes.size, putSlots.inFlight());
    const before = addMd5;
    const send = async () =>
      putFile(runtime, (await addMd5?.(target, bytes)) ?? target, bytes, options, answerLimitMs);
    await send().catch(async (cause: UploadError) => {
      if (before || cause.status !== 400) throw cause;
      addMd5 = (await import("../resume/compare-parts.js")).md5Adder(runtime, cause);
      await send();
    });
    lineSpeed.add(bytes.size, runtime.uptimeMs() - startedMs);
  };
  try {
    await putSlots.run(id, signal, put);
    void recordPut(network, target, "other");
  } catch (cause) {
    if (signal.aborted) throw cause;
    if ((cause as UploadError).code !== "network_error") {
      void recordPut(network, target, "other");
      throw cause;
    }
    const isLikely = recordPut(network, target, "network-error");
    const isDenied = await isLocalNetworkDenied(target.presigned_url, () => isLikely);
    if (isDenied) void hintOnce({ cause: "storage-unreachable", target });
    throw new UploadError(isDenied ? "local_network_denied" : "storage_unreachable", { cause });
  }
}
