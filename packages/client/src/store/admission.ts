import { UploadError, type UploadErrorCode } from "../upload-error.js";
import { countsTowardLimits, isEnded, type UploadFailure, type UploadItem } from "../upload-item.js";
import { brokenLimit, type SessionUsage, type UploadLimits } from "../upload-limits.js";
import type { UploadSettings } from "../upload-settings.js";
import type { FileCollection } from "./file-collection.js";
import { relativePathOf } from "./file-state.js";

interface AdmissionDeps {
  files: FileCollection;
  settings(): UploadSettings;
  limits(): UploadLimits;
  accepts: Parameters<typeof brokenLimit>[3];
  failureOf(cause: unknown, item: UploadItem): UploadFailure;
}

/** Decides which files the list takes, and whether it queues or refuses them. */
export function createAdmission({ files, settings, limits, accepts, failureOf }: AdmissionDeps) {
  /** Queues a file of the list, or refuses it as failed. */
  function queueOrRefuse(id: string, usageBefore: SessionUsage, isDuplicate: boolean) {
    const item = files.get(id)?.item;
    if (!item) return;
    const code = isDuplicate ? "duplicate_file" : brokenLimitOf(item.file, usageBefore);
    if (code) {
      const failure = failureOf(new UploadError(code), item);
      files.dispatch(id, { type: "refused", usageBefore, failure });
    } else {
      files.dispatch(id, { type: "queued", usageBefore });
    }
  }

  function brokenLimitOf(file: File, usage: SessionUsage): UploadErrorCode | null {
    const { maxFiles } = limits();
    // `transform` may make a smaller file or one of another type, so these are checked after it.
    return brokenLimit(file, settings().transform ? { maxFiles } : limits(), usage, accepts);
  }

  /**
   * Where the page allows one file only, the next file replaces a file that has ended. A stored file is replaced only if
   * the list takes one of the new files.
   */
  function replaceSingleFile(chosen: File[]) {
    const isAnyTaken = chosen.some((file) => !brokenLimitOf(file, { files: 0, bytes: 0 }));
    if (isAnyTaken) files.startSession();
    for (const { item } of files.all()) {
      if (isEnded(item) && (isAnyTaken || item.status !== "done")) files.remove(item.id);
    }
  }

  return {
    /** @returns the ids of the files that were added, refused files included */
    add(chosen: File[]): string[] {
      if (chosen.length > 0 && limits().maxFiles === 1) replaceSingleFile(chosen);
      const { duplicates = "allow" } = settings();
      const known = duplicates === "allow" ? null : identitiesOf(files);
      const ids: string[] = [];
      for (const file of chosen) {
        const isDuplicate = known?.has(identityOf(file)) ?? false;
        if (isDuplicate && duplicates === "skip") continue;
        const usageBefore = files.usage();
        const id = files.add(file);
        queueOrRefuse(id, usageBefore, isDuplicate);
        if (files.get(id)?.item.status === "queued") known?.add(identityOf(file));
        ids.push(id);
      }
      return ids;
    },

    /** Checks a file of the list again, because a person retries it. */
    readmit(id: string) {
      queueOrRefuse(id, files.usage(), false);
    },
  };
}

export type Admission = ReturnType<typeof createAdmission>;

/** The identities of the files that a new file would duplicate. */
function identitiesOf(files: FileCollection): Set<string> {
  const identities = new Set<string>();
  for (const { item } of files.all()) {
    if (countsTowardLimits(item)) identities.add(identityOf(item.file));
  }
  return identities;
}

/** Files with the same identity are treated as the same file. Their bytes are not compared. */
function identityOf(file: File): string {
  return JSON.stringify([file.name, relativePathOf(file), file.size, file.type, file.lastModified]);
}
