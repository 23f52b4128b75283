import * as z from "zod";
import { camelKeys } from "./casing.js";
import { cursor, filePath, optionalField, ownerTenantId, tenantId, timestamp, visibility } from "./fields.js";
import { file } from "./file.js";
import {
  BOTH_PATHS,
  fileSelection,
  hasOneKindOfPaths,
  hasPaths,
  NO_PATHS,
  toSelection,
} from "./file-paths.js";
import { tenant } from "./tenant.js";

const NO_OBJECT = { error: "Request body must be a JSON object" };

/**
 * Body of `POST /api/storage/restore/`: one path, which must be in the trash, or a list. If there is a tenant_id, it must own every
 * file.
 */
export const restoreRequest = z
  .object(fileSelection, NO_OBJECT)
  .refine(hasPaths, NO_PATHS)
  .refine(hasOneKindOfPaths, BOTH_PATHS)
  .transform(toSelection);
export type RestoreRequest = z.output<typeof restoreRequest>;

/** What a restore of several paths answers: each requested path is in one of the lists, in the order of the request. */
export const restoredFiles = z.object({ restored: z.array(z.string()), not_found: z.array(z.string()) });
export type RestoredFiles = z.infer<typeof restoredFiles>;

/** Answer of `POST /api/storage/restore/`: the file of a `file_path`, or what happened to the `file_paths`. */
export const restoreResponse = z.union([file, restoredFiles]);
export type RestoreResponse = z.infer<typeof restoreResponse>;

/** Body of `POST /api/storage/hold/`. */
export const holdRequest = z
  .object(
    {
      file_path: filePath,
      tenant_id: optionalField(ownerTenantId),
      hold: z
        .boolean({
          error: ({ input }) => (input === undefined ? "hold is required" : "hold must be true or false"),
        })
        .describe("True puts the file on hold, false releases it."),
    },
    NO_OBJECT,
  )
  .transform(camelKeys);
export type HoldRequest = z.output<typeof holdRequest>;

/** Body of `POST /api/storage/visibility/`. */
export const visibilityRequest = z
  .object(
    {
      file_path: filePath,
      tenant_id: optionalField(ownerTenantId),
      visibility: visibility.describe("Who may read the file: public or private."),
    },
    NO_OBJECT,
  )
  .transform(camelKeys);
export type VisibilityRequest = z.output<typeof visibilityRequest>;

/** Body of `POST /api/storage/tenants/delete/`. */
export const deleteTenantRequest = z.object({ tenant_id: tenantId }, NO_OBJECT).transform(camelKeys);
export type DeleteTenantRequest = z.output<typeof deleteTenantRequest>;

/** Answer of `POST /api/storage/tenants/delete/`. */
export const deleteTenantResponse = z.object({
  tenant_id: z.string(),
  remaining_files: z
    .int()
    .describe(
      "Files that are not removed yet, at least. 0: nothing of the tenant is left. Repeat the request until then.",
    ),
});
export type DeleteTenantResponse = z.infer<typeof deleteTenantResponse>;

/** Query of `GET /api/storage/tenants/export/`. */
export const exportTenantQuery = z
  .object({
    tenant_id: tenantId,
    after: cursor
      .describe("The cursor of the last line that arrived: the export goes on after it.")
      .optional(),
  })
  .transform(camelKeys);
export type ExportTenantQuery = z.output<typeof exportTenantQuery>;

/**
 * A line of the answer of `GET /api/storage/tenants/export/`. Not `z.discriminatedUnion`: zod 4.0 declares its type with other
 * parameters than later versions.
 */
export const exportLine = z.union([
  tenant.extend({ type: z.literal("tenant") }),
  file.extend({
    type: z.literal("file"),
    cursor: z.string().describe("Pass it as after to go on after this line."),
    presigned_url: z.string().nullable().describe("Downloads the file. Null unless the file is stored."),
    url_expires_at: timestamp.nullable().describe("One hour later, or when the file expires."),
  }),
  z.object({ type: z.literal("end"), files: z.int().describe("Files in this answer.") }),
]);
export type ExportLine = z.infer<typeof exportLine>;
