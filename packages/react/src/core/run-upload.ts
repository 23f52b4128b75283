import type { BrowserCompleteResponse, BrowserUploadRequestBody } from "@stowage/schemas";
import type { Line, OnPause, Tries } from "./line.js";
import { putFile } from "./put-file.js";
import type { Runtime } from "./runtime.js";
import { notePut } from "./silent-storage.js";
import { looksExpired, startTicketLife } from "./ticket-life.js";
import type { UploadTicket, UploadTransport } from "./transport.js";
import { UploadError } from "./upload-error.js";

/** What a later run of the same upload goes by. */
export interface Whereabouts {
  /** Where the bytes are. Storage having taken them, the path is enough to finish. */
  sentPath?: string;
  /** Where they may be: a PUT to it has begun. */
  triedPath?: string;
}

export interface UploadJob {
  runtime: Runtime;
  line: Line;
  transport: UploadTransport;
  /**
   * Where the upload stands.
   *
   * @param sentBytes of this try, while uploading; else 0
   * @param pause before the next try; only where there may be one
   */
  report(
    status: "preparing" | "requesting" | "uploading" | "confirming",
    sentBytes?: number,
    ...pause: Partial<Parameters<OnPause>>
  ): void;
  signal: AbortSignal;
  entry: Whereabouts;
  /** What is to be sent. Asked for once there is something to send. */
  prepare(): Promise<File>;
  /** What the backend is told about it. Throws when it must not be sent after all. */
  describe(file: File): BrowserUploadRequestBody;
}

/**
 * Brings one file from the disk to the service's record: asks for a URL, PUTs the bytes, has the service look.
 *
 * @throws {UploadError} when it gave up
 * @throws the signal's reason when it aborts
 */
export async function runUpload({
  runtime,
  line,
  transport,
  signal,
  entry,
  report,
  prepare,
  describe,
}: UploadJob): Promise<BrowserCompleteResponse> {
  /** A PUT begins with no less than this on its URL. */
  const SPARE_MS = 30_000;
  const complete = (file_path: string) => transport.complete({ file_path }, signal);
  const confirm = (file_path: string) =>
    line.persist(
      signal,
      () => complete(file_path),
      (...pause) => report("confirming", 0, ...pause),
    );
  /** Bytes that are not there, or not any more (the URL lapsed before anyone looked), are sent once more. */
  const unlessAbsent = (cause: UploadError) => {
    if (cause.code !== "upload_not_found" && cause.status !== 404) throw cause;
  };
  let found = entry.sentPath && (await confirm(entry.sentPath).catch(unlessAbsent));
  if (found) return found;

  report("preparing");
  const file = await prepare();
  // Kept from try to try: the same URL writes the same file, so none is ever stored twice.
  let ticket: UploadTicket;
  let remainingMs = () => 0;
  let mayAskAgain = true;
  let furthestBytes = 0;

  /** A browser notices that a file was changed, moved or deleted when it begins to read it, and not before. */
  const read = (fatal: RegExp) =>
    file
      .slice(0, 1)
      .arrayBuffer()
      .catch((cause: Error) => {
        if (fatal.test(cause.name)) throw new UploadError("file_unreadable", { cause });
      });

  async function send(tries: Tries): Promise<string> {
    await read(/./);
    signal.throwIfAborted();
    if (remainingMs() < SPARE_MS) {
      // Storage may have taken what its answer was lost of: at another path it would be stored twice.
      found = entry.triedPath && (await complete(entry.triedPath).catch(unlessAbsent));
      if (found) return entry.triedPath!;
      ticket = await transport.request(describe(file), signal);
      remainingMs = startTicketLife(ticket, runtime);
    }
    entry.triedPath = ticket.file_path;
    report("uploading");
    const options = {
      signal,
      onProgress(sentBytes: number) {
        if (sentBytes > furthestBytes) {
          furthestBytes = sentBytes;
          tries.attempt = 1;
        }
        report("uploading", sentBytes);
      },
    };
    try {
      await (transport.put?.(ticket, file, options) ?? putFile(runtime, ticket, file, options));
      void notePut(line, ticket, true);
      // Changed meanwhile, it may have gone out as half of each. One that is gone by now was sent as it was.
      await read(/able/);
      return ticket.file_path;
    } catch (cause) {
      signal.throwIfAborted();
      const error = cause as UploadError;
      void notePut(line, ticket, error.code !== "network_error");
      // A second refusal is meant.
      if (!mayAskAgain || !looksExpired(error, remainingMs())) throw error;
      mayAskAgain = false;
      remainingMs = () => 0;
      report("requesting", 0, null);
      return send(tries);
    }
  }
  const path = await line.persist(signal, send, (...pause) => report("requesting", 0, ...pause));
  signal.throwIfAborted();
  entry.sentPath = path;
  return found || confirm(path);
}
