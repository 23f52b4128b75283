import type { Network } from "../network/network.js";
import type { FileToSend, ResumeDeps, ResumeSession } from "../resume/resume-session.js";
import { MAX_OPEN_UPLOADS, MIN_FINGERPRINT_BYTES, type UploadTransport } from "../transport.js";
import type { UploadSettings } from "../upload-settings.js";
import type { HeldMultipart } from "../upload/upload-job.js";
import type { Resumables } from "./resumables.js";

interface ContinuedUploadsDeps {
  resumables: Pick<Resumables, "isPossible" | "load" | "session">;
  network: Pick<Network, "capacity">;
  transport(): UploadTransport;
  settings(): UploadSettings;
}

/** Finds the uploads of other pages that files continue, and remembers the uploads of this page. */
export function createContinuedUploads({ resumables, network, transport, settings }: ContinuedUploadsDeps) {
  /** On a slow line this takes as long as the code. If it fails, the session asks again. */
  function askForFirstPage(): ResumeDeps["firstPage"] {
    if (network.capacity() === 0) return undefined;
    const page = transport().open?.({ limit: MAX_OPEN_UPLOADS }, new AbortController().signal);
    page?.catch(() => {});
    return page;
  }

  function inputOf(original: File): unknown {
    const { input } = settings();
    return typeof input === "function" ? (input as (file: File) => unknown)(original) : input;
  }

  /** Null for a file that continues no upload: it is small, and no person chose it for an upload. The code is not loaded for it. */
  async function sessionFor({ original, prepared }: FileToSend): Promise<ResumeSession | null> {
    const session = resumables.session();
    if (session?.isChosen(original)) return session;
    return prepared.size >= MIN_FINGERPRINT_BYTES && resumables.isPossible()
      ? resumables.load(askForFirstPage)
      : null;
  }

  return {
    /** The open upload that a file continues. @throws {UploadError} different_file */
    async find(file: FileToSend): Promise<HeldMultipart | null> {
      return (await (await sessionFor(file))?.find(file, inputOf(file.original))) ?? null;
    },

    /** Remembers an upload that a file has opened. */
    async opened(multipart: HeldMultipart, original: File): Promise<void> {
      if (resumables.isPossible()) await (await resumables.load())?.opened(multipart, original);
    },
  };
}

export type ContinuedUploads = ReturnType<typeof createContinuedUploads>;
