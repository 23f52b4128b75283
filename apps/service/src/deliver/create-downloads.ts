import { type DownloadsRequest, type ErrorCode, StowageError } from "@stowage/schemas";
import { findArrivedFiles } from "#files/settle/find-arrived-file.js";
import { createLookLimit } from "#files/settle/text-type.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import type { Project } from "#projects/find-project.js";
import {
  type CreateDownloadDeps,
  type CreatedDownload,
  findWantedVariants,
  signDownload,
} from "./create-download.js";

/** Each requested path is in one of the lists, in the order of the request. */
export interface CreatedDownloads {
  downloads: CreatedDownload[];
  notFound: string[];
  /** Missing if there are none. */
  refused?: RefusedDownload[];
}

export interface RefusedDownload {
  filePath: string;
  code: ErrorCode;
  detail: string;
  /** Seconds after which the same request may succeed. */
  retryAfter?: number;
}

/** While a project scans, storage may have to be asked about each file. */
const MAX_CONCURRENT_CHECKS = 8;

/**
 * Signs a URL for each of up to 100 files, as {@link createDownload} does for one. A file that must not be downloaded does not fail
 * the others.
 *
 * @throws {StowageError} `preset_not_found`; `unavailable`, also if only one file has to be looked for in storage and storage does not
 * answer
 */
export async function createDownloads(
  deps: CreateDownloadDeps,
  project: Project,
  { filePaths, tenantId, ...options }: DownloadsRequest,
): Promise<CreatedDownloads> {
  const found = await findArrivedFiles(deps, project, { filePaths, tenantId });
  const variantOf = await findWantedVariants(deps, project, options, [...found.values()]);
  const lookLimit = createLookLimit();
  const results = new Map<string, CreatedDownload | StowageError>();
  await forEachBounded([...found.values()], MAX_CONCURRENT_CHECKS, async (file) => {
    const signed = await signDownload(deps, file, { ...options, variantOf, lookLimit }).catch(returnRefusal);
    if (signed) results.set(file.file.path, signed);
  });
  const answer: CreatedDownloads = { downloads: [], notFound: [] };
  const refused: RefusedDownload[] = [];
  for (const filePath of filePaths) {
    const result = results.get(filePath);
    if (result === undefined || isMissing(result)) answer.notFound.push(filePath);
    else if (result instanceof StowageError) refused.push(toRefusal(filePath, result));
    else {
      answer.downloads.push(result);
      deps.downloadMeter?.count(project.id, found.get(filePath)!.file.tenant, result.size);
    }
  }
  return refused.length > 0 ? { ...answer, refused } : answer;
}

function toRefusal(
  filePath: string,
  { code, message, retryAfterSeconds: retryAfter }: StowageError,
): RefusedDownload {
  return { filePath, code, detail: message, ...(retryAfter !== undefined && { retryAfter }) };
}

/** Errors that say something about one file. */
const OF_ONE_FILE: ErrorCode[] = [
  "file_not_found",
  "file_not_scanned",
  "file_quarantined",
  "variant_pending",
  "variant_impossible",
  "variant_failed",
];

function returnRefusal(error: unknown): StowageError {
  if (error instanceof StowageError && OF_ONE_FILE.includes(error.code)) return error;
  throw error;
}

const isMissing = (result: CreatedDownload | StowageError) =>
  result instanceof StowageError && result.code === "file_not_found";
