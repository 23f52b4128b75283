import { fileStatuses, scanStatuses, visibilities } from "@stowage/schemas";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from "drizzle-orm/pg-core";
import {
  END_OF_FILE,
  ENDS_BY_ITSELF,
  IS_HELD,
  IS_IN_FOLDER,
  IS_IN_QUARANTINE,
  KEY_OF_FOLDER,
  SWEEPER_OF_FILE,
} from "./conditions.js";
import { objectKey } from "./object-key.js";
import { tenants } from "./tenants.js";
import { SORTED } from "./file-statuses.js";

export const fileStatus = pgEnum("file_status", fileStatuses);

export const scanStatus = pgEnum("scan_status", scanStatuses);

/** Who may read a file, and also the bucket that its object is in. */
export const fileVisibility = pgEnum("file_visibility", visibilities);

/**
 * The state of an upload by parts. It is one value, because no file of a single PUT has it and no condition of an index needs it. Times are
 * milliseconds since 1970: Citus allows no cast of a text to a time in an update.
 */
export interface Multipart {
  /** The customer's own text. It finds the file of an open upload again. */
  fingerprint?: string;
  /** Storage's ID of the multipart upload. Missing until the first part is signed, and after an abort. A stored file keeps it. */
  uploadId?: string;
  /** The parts that storage had when the service last looked, and their bytes. */
  partsStored?: number;
  bytesStored?: number;
  /** When the last signed URL of a part expires. Missing if none was signed. */
  urlsExpireAt?: number;
  /** Until then storage may be completing the multipart upload: see files/parts/claim-upload.ts. */
  completingUntil?: number;
}

/** The size of an image in pixels, as people see it, and its ThumbHash in base64. They count only if `etag` is the file's. */
export interface FileImage {
  width: number;
  height: number;
  placeholder: string;
  etag: string;
}

/** Which charset a text has that names none. It counts only if `etag` is the file's. */
export interface FileText {
  /** Null for ASCII, and for a charset that only a browser can guess. */
  charset: "utf-8" | null;
  etag: string;
}

/** One row for each requested upload. */
export const files = pgTable(
  "files",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    /** `tenants.id` in the same project. */
    tenant: bigint("tenant", { mode: "number" }).notNull(),
    /** The object's key. Customers use it as the permanent identifier of the file. */
    path: objectKey("path").notNull(),
    /** The original name, in NFC. */
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    /** The `Cache-Control` of the object; null if the customer chose none. */
    cacheControl: text("cache_control"),
    /** Bytes that the customer declared, which are signed into the URL; null if it declared none. */
    declaredSize: bigint("declared_size", { mode: "number" }),
    /** Bytes of the tenant's quota that this upload reserves while it is pending. */
    reservedBytes: bigint("reserved_bytes", { mode: "number" }).notNull().default(0),
    /** Bytes that storage reported; null until the service has seen the object. */
    size: bigint("size", { mode: "number" }),
    etag: text("etag"),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull().default({}),
    /** Segments joined by "/", in NFC. Empty for the root. */
    folder: objectKey("folder").notNull().default(""),
    status: fileStatus("status").notNull().default("pending"),
    urlExpiresAt: timestamp("url_expires_at", { withTimezone: true }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    storedAt: timestamp("stored_at", { withTimezone: true }),
    /** When the file is deleted by itself; null if the customer set no end, and while the file is being deleted. */
    expiresAt: timestamp("expires_at", { withTimezone: true }),
    /** When the file is removed from the trash; null unless it is there. If storage loses its object, it is `expired` meanwhile. */
    purgeAt: timestamp("purge_at", { withTimezone: true }),
    /** Whether the file is on hold: until it is released, nothing deletes it. */
    held: boolean("held").notNull().default(false),
    /** When the sweeper checks the object next; null if nothing can change any more. */
    nextCheckAt: timestamp("next_check_at", { withTimezone: true }),
    /** Whether the file is being deleted because its bytes did not fit the quota. */
    isOverQuota: boolean("is_over_quota").notNull().default(false),
    /**
     * Bytes of each part but the last; null for a file of a single PUT. The `urlExpiresAt` of an upload by parts is when its session
     * ends.
     */
    partSize: bigint("part_size", { mode: "number" }),
    /** The state of an upload by parts; null for a file of a single PUT. */
    multipart: jsonb("multipart").$type<Multipart>(),
    /** Whether the upload was requested to replace a file: see `replacements`. */
    isReplacement: boolean("is_replacement").notNull().default(false),
    /** `files.path` of the file that replaced this one; null unless it is in the trash for that. */
    replacedBy: objectKey("replaced_by"),
    /** When that was. */
    replacedAt: timestamp("replaced_at", { withTimezone: true }),
    /**
     * What a file has in common with its versions: `files.id` of the first file that replaced another one of them. Null for a file that
     * never replaced one and was never replaced.
     */
    chain: bigint("chain", { mode: "number" }),
    /** What the virus scan found. It counts only if `scannedEtag` is the `etag`. */
    scanStatus: scanStatus("scan_status").notNull().default("none"),
    /** What the scanner named, such as a virus, or why it could not look into the file. */
    scanSignature: text("scan_signature"),
    /** The ETag of the bytes that were scanned. */
    scannedEtag: text("scanned_etag"),
    /** What the first decode found out about the image; null if no variant of the file was made. */
    image: jsonb("image").$type<FileImage>(),
    /** What its bytes say about the charset of a text; null if it was never shown. */
    text: jsonb("text").$type<FileText>(),
    /** Who may read the file, as the customer wants it. */
    visibility: fileVisibility("visibility").notNull().default("private"),
    /** The bucket that has the object. */
    place: fileVisibility("place").notNull().default("private"),
    /** The ETag of the object in the public bucket, which may differ from `etag`; null if the object is in the private one. */
    publishedEtag: text("published_etag"),
    /**
     * Whether a move has to end: the other bucket may have an object of this path, which is to be removed, or variants of a public image
     * are to be published. Set before the first byte is copied.
     */
    hasOtherCopy: boolean("has_other_copy").notNull().default(false),
    /**
     * Until this time storage may still put a copy into the public bucket, because a process began one and did not learn how it ended. So
     * a file is not private before.
     */
    publishEndsAt: timestamp("publish_ends_at", { withTimezone: true }).notNull().default(new Date(0)),
    /**
     * Incremented by each change except of `nextCheckAt`, `contentType`, `image`, `text`, the columns of a move (from `place` on), and of `multipart` what is
     * known about stored parts and their completion. A check whose row has another revision by then is outdated.
     */
    revision: integer("revision").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("files_path").on(table.projectId, table.path),
    foreignKey({
      name: "files_tenant",
      columns: [table.projectId, table.tenant],
      foreignColumns: [tenants.projectId, tenants.id],
    }),
    index("files_by_status").on(table.projectId, table.status, table.createdAt, table.id),
    index("files_of_tenant").on(table.projectId, table.tenant, table.status, table.createdAt, table.id),
    index("files_in_folder")
      .on(
        table.projectId,
        table.tenant,
        sql.raw(`(${KEY_OF_FOLDER})`),
        table.status,
        table.createdAt,
        table.id,
      )
      .where(sql.raw(IS_IN_FOLDER)),
    // Without pending files, so that admitting an upload need not update these two indexes.
    index("files_by_name")
      .on(table.projectId, table.status, sql`lower(${table.filename}) collate "C"`, table.id)
      .where(sql`${table.status} in ${sql.raw(SORTED)}`),
    index("files_by_size")
      .on(table.projectId, table.status, sql`coalesce(${table.size}, ${table.declaredSize}, 0)`, table.id)
      .where(sql`${table.status} in ${sql.raw(SORTED)}`),
    // The sweepers work across projects, so this index does not start with project_id.
    index("files_to_check")
      .on(sql.raw(`(${SWEEPER_OF_FILE})`), table.nextCheckAt)
      .where(sql`${table.nextCheckAt} is not null`),
    // The time at which files/lifecycle/end-files.ts ends a file. Only files that have such a time are in it.
    index("files_to_end").on(sql.raw(END_OF_FILE)).where(sql.raw(ENDS_BY_ITSELF)),
    index("files_of_chain")
      .on(table.projectId, table.chain)
      .where(sql`${table.chain} is not null`),
    index("files_held").on(table.projectId, table.tenant).where(sql.raw(IS_HELD)),
    index("files_in_quarantine").on(table.projectId, table.id).where(sql.raw(IS_IN_QUARANTINE)),
    check("files_stored_has_size", sql`${table.status} <> 'stored' or ${table.size} is not null`),
    check("files_parts_have_size", sql`${table.partSize} is null or ${table.declaredSize} is not null`),
    check(
      "files_trashed",
      sql`case ${table.status}::text when 'trashed' then ${table.purgeAt} is not null and ${table.size} is not null
          when 'expired' then true else ${table.purgeAt} is null end`,
    ),
    check("files_only_pending_reserves", sql`${table.status} = 'pending' or ${table.reservedBytes} = 0`),
  ],
);
