import { type ErrorCode, errorCatalogue, limits, searchText } from "@stowage/schemas";
import * as z from "zod";
import { auditActions, overviewDays, requestPeriods, scanSettings, sortOrders } from "./constants.js";
import {
  bytes,
  cursor,
  day,
  hasOrderedDates,
  identifier,
  limit,
  oneOf,
  text,
  unorderedDates,
} from "./fields.js";

/*
 * Inputs of the calls about projects, their usage and their audit log.
 */

export const projectName = text("name", 100);
const defaultQuotaBytes = bytes("default quota", Number.MAX_SAFE_INTEGER, "8,192 TB").nullable();
const maxFileBytes = bytes("maximum file size", limits.multipartFileSizeBytes, "5 TiB");

/** How many days a deleted file stays in the trash. */
const trashDays = z
  .int({ error: "trash days must be a whole number" })
  .min(0, { error: "trash days must be at least 0" })
  .max(limits.maxTrashDays, { error: `trash days must be at most ${limits.maxTrashDays}` });

/** How many replaced files are kept of each file as its versions. */
const maxVersions = z
  .int({ error: "versions must be a whole number" })
  .min(0, { error: "versions must be at least 0" })
  .max(limits.maxVersions, { error: `versions must be at most ${limits.maxVersions}` });

/** Part of every call about one project. */
export const projectInput = z.object({ projectRef: identifier });

export const projectSorts = ["name", "created_at"] as const;

/** Without `order`, names are sorted from A to Z, and dates from the newest to the oldest. */
export const projectsListInput = z.object({
  q: searchText.optional(),
  sort: z.enum(projectSorts).default("created_at"),
  order: z.enum(sortOrders).optional(),
  /** Longer than other cursors: it can contain the name of a project. */
  cursor: z.string().max(1000).optional(),
  limit,
  /** Also the stored bytes and files of each project, with a statement of its own. */
  withUsage: z.boolean().default(false),
});
export type ProjectsListInput = z.output<typeof projectsListInput>;

const VERSIONS_NEED_TRASH = {
  path: ["maxVersions"],
  error: "versions are kept in the trash, which needs 1 day or more",
};

export const createProjectInput = z
  .object({
    name: projectName,
    defaultQuotaBytes: defaultQuotaBytes.default(null),
    maxFileBytes: maxFileBytes.default(limits.fileSizeBytes),
    requireSize: z.boolean().default(false),
    allowOverQuota: z.boolean().default(false),
    trashDays: trashDays.default(limits.newProjectTrashDays),
    maxVersions: maxVersions.default(0),
    /** One of `projects.storages`. Null: the default. */
    storage: text("storage", 63).nullable().default(null),
  })
  .refine(({ maxVersions, trashDays }) => maxVersions === 0 || trashDays > 0, VERSIONS_NEED_TRASH);
export type CreateProjectInput = z.output<typeof createProjectInput>;

export const renameProjectInput = z.object({ name: projectName });

export const settingsInput = z
  .object({
    defaultQuotaBytes,
    maxFileBytes,
    requireSize: z.boolean(),
    /** Whether a file stays that is found larger than the free quota. */
    allowOverQuota: z.boolean(),
    trashDays,
    maxVersions,
    scan: oneOf("scan", scanSettings),
    /** Whether files can be downloaded that the scanner cannot look into. */
    allowUnscannable: z.boolean(),
  })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: "Say what to change",
  })
  // A change of one of the two is compared with the project's other one where it is made.
  .refine(({ maxVersions = 0, trashDays = 1 }) => maxVersions === 0 || trashDays > 0, VERSIONS_NEED_TRASH);
export type SettingsInput = z.output<typeof settingsInput>;

/** The name of the project, typed to confirm an action that cannot be undone. */
export const confirmNameInput = z.object({ name: z.string({ error: "name is required" }) });

export const overviewDaysInput = z.object({
  days: z.literal(overviewDays, { error: `days must be one of ${overviewDays.join(", ")}` }).default(30),
});

export const requestPeriodInput = z.object({
  hours: z.literal(requestPeriods, { error: `hours must be one of ${requestPeriods.join(", ")}` }).default(1),
});

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

export const refusedRequestsInput = z.object({
  /** Only requests that were refused for this reason. */
  code: z.enum(errorCodes, { error: "code must be the code of an error" }).optional(),
  limit,
});
export type RefusedRequestsInput = z.output<typeof refusedRequestsInput>;

/** `lastEventId` is the last event that the client received before it lost the connection. tRPC fills it in. */
export const watchUploadsInput = z.object({ lastEventId: z.string().max(100).nullish() });

/** The operator's own entries in the audit log. */
export const activityInput = z.object({ cursor, limit });
export type ActivityInput = z.output<typeof activityInput>;

export const auditFilters = z.object({
  action: oneOf("action", auditActions).optional(),
  operatorId: identifier.optional(),
  /** Part of one of the details, such as the name of a file, a tenant or a person. */
  q: searchText.optional(),
  /** First and last day, in UTC. */
  from: day("from"),
  to: day("to"),
});

export const auditListInput = auditFilters
  .extend(activityInput.shape)
  .refine(hasOrderedDates, unorderedDates);
export type AuditListInput = z.output<typeof auditListInput>;
