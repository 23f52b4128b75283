import type { StoredPart } from "@stowage/schemas";
import type { PartsTransport } from "../../transport.js";
import type { OwnMultipart, UploadJob } from "../upload-job.js";

/** A file has at most 10,000 parts, and a page at least 100 of them. */
const MAX_PAGES = 100;

/** Lists the parts of an upload that are in storage, page by page, by their numbers. */
export async function* listParts(
  transport: PartsTransport,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<StoredPart> {
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { file_path: path, ...(cursor !== null && { cursor }) };
    const answer = await transport.listParts(query, signal);
    signal.throwIfAborted();
    yield* answer.parts;
    if (answer.next_cursor === null) return;
    cursor = answer.next_cursor;
  }
}

/** Lists all parts of an upload that are in storage, with retries. */
export function findStoredParts(
  { network, signal, onEvent }: UploadJob,
  transport: PartsTransport,
  path: string,
): Promise<StoredPart[]> {
  return network.callWithRetry(
    async () => {
      const found: StoredPart[] = [];
      for await (const part of listParts(transport, path, signal)) found.push(part);
      return found;
    },
    { signal, onRetry: (retry) => onEvent({ type: "requesting", retry }) },
  );
}

/** Finds one part in storage, without retries. */
export async function findStoredPart(
  transport: PartsTransport,
  path: string,
  number: number,
  signal: AbortSignal,
): Promise<StoredPart | null> {
  for await (const part of listParts(transport, path, signal)) {
    if (part.number === number) return part;
  }
  return null;
}

/**
 * Compares parts that another page, another run or another version of the file has stored with this file. The code for this
 * is loaded with the first part to compare.
 */
export function createComparison(
  { runtime }: Pick<UploadJob, "runtime">,
  { ticket, size, fingerprint, sent: { file } }: OwnMultipart,
) {
  let comparing: ReturnType<typeof load> | null = null;

  async function load() {
    const [{ createPartComparison }, { contentHash, parseFingerprint }] = await Promise.all([
      import("../../resume/compare-parts.js"),
      import("../../resume/fingerprint.js"),
    ]);
    const opened = parseFingerprint(fingerprint);
    const isSampleSame = file.size === size && opened?.content === (await contentHash(file));
    return createPartComparison(runtime, { file, partSizeBytes: ticket.part_size, isSampleSame });
  }

  return {
    /**
     * False also if the code for it cannot be loaded, or the file cannot be read any more. The part is then sent again, and that
     * tells why the file cannot be read.
     */
    async isSame(part: StoredPart): Promise<boolean> {
      comparing ??= load();
      const same = comparing.then((comparison) => comparison.isSame(part));
      return same.catch(() => false);
    },
    close() {
      void comparing?.then((comparison) => comparison.close()).catch(() => {});
    },
  };
}
