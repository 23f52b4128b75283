import * as z from "zod";
import { hasOrderedDates, unorderedDates } from "./fields.js";
import { fileFilters, fileStateList } from "./file-inputs.js";
import { auditFilters, projectInput, projectsListInput } from "./project-inputs.js";
import { tenantsListInput } from "./tenant-inputs.js";

/*
 * Query strings of `GET /dashboard/export/….csv`: the filters of each list, without its paging.
 */

const paging = { cursor: true, limit: true } as const;

export const filesExportQuery = projectInput
  .extend(fileFilters.shape)
  .extend({
    /** Separated by commas. */
    states: z
      .string({ error: "states must be separated by commas" })
      .transform((list) => list.split(","))
      .pipe(fileStateList)
      .optional(),
  })
  .refine(hasOrderedDates, unorderedDates);
export const tenantsExportQuery = projectInput.extend(tenantsListInput.omit(paging).shape);
export const projectsExportQuery = projectsListInput.omit({ ...paging, withUsage: true });
export const auditExportQuery = projectInput
  .extend(auditFilters.shape)
  .refine(hasOrderedDates, unorderedDates);
