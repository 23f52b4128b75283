import { createHash } from "node:crypto";
import { type FileStatus, type ScanStatus, StowageError } from "@stowage/schemas";
import { type FilesListInput, listedFileStates, type SortOrder } from "@stowage/operator-schemas";
import type { Queries } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import { type Place, readPlace, writePlace } from "#lib/cursor.js";
import { partSizesOf } from "#files/parts/upload-of-parts.js";
import { readPage } from "#lib/read-page.js";
import { addMs, DAY_MS } from "#lib/time.js";
import { type FilesQuery, selectStates } from "./file-filter.js";
import { inclusive, keyOf, type ReadFile, readFiles } from "./read-files.js";
import { type FileKey, sortKeys } from "./sort-keys.js";

/** A file as the dashboard lists it. */
export interface ListedFile {
  id: number;
  path: string;
  filename: string;
  contentType: string;
  /** The size that the customer declared; null if it declared none. */
  declaredSizeBytes: number | null;
  /** The size of the object in storage; null until the service has seen it. */
  sizeBytes: number | null;
  status: FileStatus;
  tenantId: string;
  createdAt: string;
  storedAt: string | null;
  /** When the upload URL expires, or when an upload by parts ends. Until then the bytes of a pending upload can arrive. */
  urlExpiresAt: string;
  /** Bytes of the tenant's quota that a pending upload holds; 0 once the reservation is released. */
  reservedBytes: number;
  /** Whether the file was stored once and its object has disappeared from storage. */
  isLost: boolean;
  /** When the file is deleted by itself; null if no end was set. */
  expiresAt: string | null;
  /** When a file in the trash is removed from it; null for all other files. */
  purgeAt: string | null;
  /** Whether the file is on hold: nothing deletes it. */
  isHeld: boolean;
  scanStatus: ScanStatus;
  /** Null for a file of one PUT. */
  parts: ListedParts | null;
}

/** The parts of a file that was uploaded by parts. */
export interface ListedParts {
  /** The size of each part except the last. */
  sizeBytes: number;
  count: number;
  /** The parts of an open upload that storage had when the service last looked. 0 once the upload has ended. */
  storedCount: number;
  /** The bytes of these parts. */
  storedBytes: number;
}

export interface ListedFilesPage {
  files: ListedFile[];
  /** Null on the first page. */
  previousCursor: string | null;
  /** Null on the last page. */
  nextCursor: string | null;
  /** Whether the page was read backwards, for a cursor of a previous page. Then a search continues with `previousCursor`. */
  isBackward: boolean;
}

/**
 * One page of a project's files for operators: any combination of filters, in one of three orders, ascending or descending. As with
 * {@link listFiles} a page may be short or empty and still not be the last one: only a null cursor means the end. A previous page
 * is the list in the opposite order, from the first file of the current page on.
 *
 * @throws {StowageError} `invalid_request` for a cursor of another list, another filter or another order; `unavailable`
 */
export async function browseFiles(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  input: FilesListInput,
): Promise<ListedFilesPage> {
  const { states, from, to, limit, cursor, ...rest } = input;
  const query: FilesQuery = {
    projectId: project.id,
    ...rest,
    ...selectStates(states ?? listedFileStates, deps.clock()),
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : addMs(new Date(to), DAY_MS),
  };
  const opposite = { ...query, order: oppositeOf(query.order) };
  const page = await deps.db.run((db) =>
    readPage({
      place: readFilePlace(query, cursor),
      read: ({ isBackward, after }) => readFiles(db, isBackward ? opposite : query, { after, limit }),
      positionOf: keyOf,
      including: (key, isBackward) => inclusive(key, (isBackward ? opposite : query).order),
    }),
  );
  const cursorOf = (place: Place<FileKey> | null) =>
    writePlace(hashOf(query), place && { ...place, at: [place.at.key, place.at.id] });
  return {
    files: page.rows.map(({ file }) => toListedFile(file)),
    previousCursor: cursorOf(page.previous),
    nextCursor: cursorOf(page.next),
    isBackward: page.isBackward,
  };
}

const oppositeOf = (order: SortOrder): SortOrder => (order === "asc" ? "desc" : "asc");

export function toListedFile(row: ReadFile): ListedFile {
  return {
    id: row.id,
    path: row.filePath,
    filename: row.filename,
    contentType: row.contentType,
    declaredSizeBytes: row.declaredSize,
    sizeBytes: row.size,
    status: row.status,
    tenantId: row.tenantId,
    scanStatus: row.scanStatus,
    createdAt: row.createdAt.toISOString(),
    storedAt: row.storedAt?.toISOString() ?? null,
    urlExpiresAt: row.urlExpiresAt.toISOString(),
    reservedBytes: row.reservedBytes,
    isLost: row.isLost,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    purgeAt: row.purgeAt?.toISOString() ?? null,
    isHeld: row.held,
    parts: toListedParts(row),
  };
}

function toListedParts(row: ReadFile): ListedParts | null {
  const sizes = partSizesOf(row);
  return (
    sizes && {
      sizeBytes: sizes.partSizeBytes,
      count: sizes.partCount,
      storedCount: row.multipart?.partsStored ?? 0,
      storedBytes: row.multipart?.bytesStored ?? 0,
    }
  );
}

function readFilePlace(query: FilesQuery, cursor: string | undefined): Place<FileKey> | undefined {
  const place = readPlace(hashOf(query), ["string", "number"], cursor, OTHER_LIST);
  if (!place) return undefined;
  const [key, id] = place.at;
  if (!sortKeys[query.sort].isKey(key))
    throw new StowageError("invalid_request", { detail: "cursor is not valid" });
  return { direction: place.direction, at: { key, id } };
}

const OTHER_LIST =
  "cursor belongs to a list with other filters or another order: request the first page again";

/** Identifies a list by its filters and order: a cursor is valid only for the list that made it. */
function hashOf(query: FilesQuery): string {
  const { projectId, tenantId, folder, statuses, states, q, kind, from, before, sort, order } = query;
  const text = JSON.stringify([
    projectId,
    tenantId,
    statuses,
    states?.chosen,
    q,
    kind,
    from,
    before,
    sort,
    order,
    // Cursors without a folder are as they were before there were folders.
    ...(folder === undefined ? [] : [folder]),
  ]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
