import * as z from "zod";
import { fileFilters, fileStatusList, inOrder, notInOrder } from "./file-inputs.js";
import { auditListInput, projectInput, projectsListInput } from "./inputs.js";
import { tenantsListInput } from "./tenant-inputs.js";

/*
 * What `GET /dashboard/export/….csv` takes: the filters of a list, as members of a query, without its pages.
 */

const pages = { cursor: true, limit: true } as const;

export const filesExportQuery = projectInput
  .extend(fileFilters.shape)
  .extend({
    /** Separated by commas. */
    statuses: z
      .string({ error: "statuses must be separated by commas" })
      .transform((text) => text.split(","))
      .pipe(fileStatusList)
      .optional(),
  })
  .refine(inOrder, notInOrder);
export const tenantsExportQuery = projectInput.extend(tenantsListInput.omit(pages).shape);
export const projectsExportQuery = projectsListInput.omit(pages);
export const auditExportQuery = projectInput.extend(auditListInput.omit(pages).shape);
