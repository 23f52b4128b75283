import { imageFormats, presetFits, variantFailures } from "@stowage/operator-schemas";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  IS_CURRENT_PRESET,
  IS_FAILED_VARIANT,
  IS_FAILING_VARIANT,
  IS_LEAVING_VARIANT,
  IS_READY_VARIANT,
  IS_VARIANT_TO_REVISE,
  IS_WAITING_VARIANT,
} from "./conditions.js";
import { objectKey } from "./object-key.js";
import { projects } from "./projects.js";

export const presetFit = pgEnum("preset_fit", presetFits);
export const imageFormat = pgEnum("image_format", imageFormats);

/** The sizes and formats in which a project hands out its images. */
export const imagePresets = pgTable(
  "image_presets",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    id: bigint("id", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    name: text("name").notNull(),
    /** Pixels; null follows from the other one. */
    width: integer("width"),
    height: integer("height"),
    fit: presetFit("fit").notNull(),
    format: imageFormat("format").notNull(),
    quality: integer("quality").notNull(),
    /** Whether variants are made as soon as a file is stored. */
    eager: boolean("eager").notNull(),
    /** Whether variants of animations are animations. */
    animated: boolean("animated").notNull().default(false),
    /** Identifies what the variants are made with: see images/preset-parameters.ts. */
    hash: text("hash").notNull(),
    /** The same for AVIF. Null unless the format is `auto`. */
    avifHash: text("avif_hash"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** When the preset was deleted, or replaced by one with other parameters. The row stays until its variants are removed. */
    retiredAt: timestamp("retired_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex("image_presets_name").on(table.projectId, table.name).where(sql.raw(IS_CURRENT_PRESET)),
    index("image_presets_retired")
      .on(table.retiredAt)
      .where(sql`${table.retiredAt} is not null`),
    check("image_presets_size", sql`${table.width} is not null or ${table.height} is not null`),
  ],
);

export const variantPublication = pgEnum("variant_publication", ["none", "begun", "done"]);

/** `failed`: it is not tried again by itself. `failure` says why. */
export const variantStatus = pgEnum("variant_status", ["waiting", "ready", "failed", "removing"]);

export const variantFailure = pgEnum("variant_failure", variantFailures);

/**
 * One row for each image that is made of a file. It is there before its object, and stays until its object is removed, also when its file
 * is gone. So no object is without a row.
 */
export const fileVariants = pgTable(
  "file_variants",
  {
    projectId: bigint("project_id", { mode: "number" })
      .notNull()
      .references(() => projects.id),
    /** `files.id` in the same project. The file may be gone. */
    fileId: bigint("file_id", { mode: "number" }).notNull(),
    presetHash: text("preset_hash").notNull(),
    /** The ETag of the bytes that it is made of. */
    sourceEtag: text("source_etag").notNull(),
    /** The key of its object. */
    path: objectKey("path").notNull(),
    /** `VariantParameters`, so that a changed preset does not change what is being made. */
    parameters: jsonb("parameters").notNull(),
    status: variantStatus("status").notNull(),
    /**
     * While it waits: when a worker may claim it; a claim moves it to the end of the worker's lease. While it is being removed: when its
     * row may go, because no worker can still be writing its object. Null otherwise.
     */
    dueAt: timestamp("due_at", { withTimezone: true }),
    /**
     * Whether the public bucket has a copy of its object. `begun` is written before the copy is made, so it may have one; `none` after it
     * was removed.
     */
    publication: variantPublication("publication").notNull().default("none"),
    /** The number of the newest claim, so an older one is known to be over. */
    claim: integer("claim").notNull().default(0),
    /** Tries that failed, for any reason. */
    failures: integer("failures").notNull().default(0),
    /** Those of them that ended in the decoder. Their number is limited. */
    decoderFailures: integer("decoder_failures").notNull().default(0),
    /**
     * Why the last try failed. `image` is the word of the decoder, or of a rule about files, and is final. Null for a failed variant that
     * a version before 1.0 wrote: images/revise-verdicts.ts looks at it again.
     */
    failure: variantFailure("failure"),
    /** After a failure: when it is tried again. In the past while it is tried. */
    retryAt: timestamp("retry_at", { withTimezone: true }),
    size: bigint("size", { mode: "number" }),
    contentType: text("content_type"),
    /** Why the file has no such variant, in more words than `failure`. */
    reason: text("reason"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.fileId, table.presetHash, table.sourceEtag] }),
    // Workers go from project to project: see images/claim-variant.ts.
    index("file_variants_to_make").on(table.projectId, table.dueAt).where(sql.raw(IS_WAITING_VARIANT)),
    // For the health page and metrics.
    index("file_variants_by_time").on(table.dueAt).where(sql.raw(IS_WAITING_VARIANT)),
    index("file_variants_to_remove").on(table.dueAt).where(sql.raw(IS_LEAVING_VARIANT)),
    // For the comparison with the bucket.
    index("file_variants_by_path").on(table.projectId, table.path),
    // For the sum of the project's bytes.
    index("file_variants_bytes").on(table.projectId, table.size).where(sql.raw(IS_READY_VARIANT)),
    index("file_variants_of_preset").on(table.projectId, table.presetHash),
    // For operators: what has failed, and what failed and is tried again. Both are few.
    index("file_variants_failed").on(table.projectId, table.fileId).where(sql.raw(IS_FAILED_VARIANT)),
    index("file_variants_failing").on(table.projectId, table.fileId).where(sql.raw(IS_FAILING_VARIANT)),
    // The verdicts of versions before 1.0: see images/revise-verdicts.ts. Empty soon after the upgrade.
    index("file_variants_to_revise").on(table.projectId).where(sql.raw(IS_VARIANT_TO_REVISE)),
    check("file_variants_ready_has_size", sql`${table.status} <> 'ready' or ${table.size} is not null`),
  ],
);
