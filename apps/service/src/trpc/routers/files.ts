import { deleteFilesInput, fileInput, filesListInput } from "@stowage/schemas/dashboard";
import { browseFiles } from "#files/list/browse-files.js";
import { createLinks } from "#files/deliver/create-links.js";
import { readFile } from "#files/read-file.js";
import { readHistory } from "#files/read-history.js";
import { removeFiles } from "#admin/delete-files.js";
import { procedureFor, router } from "../init.js";

export const filesRouter = router({
  list: procedureFor.viewer
    .input(filesListInput)
    .query(({ ctx, input: { projectRef: _, ...query } }) =>
      browseFiles(ctx.deps, ctx.membership.project, query),
    ),
  read: procedureFor.viewer
    .input(fileInput)
    .query(({ ctx, input }) => readFile(ctx.deps, ctx.membership.project, input)),
  history: procedureFor.viewer
    .input(fileInput)
    .query(({ ctx, input }) => readHistory(ctx.deps, ctx.membership.project, input)),
  // Changes nothing, but a query's answer stays in caches, and these URLs are keys.
  links: procedureFor.viewer
    .input(fileInput)
    .mutation(({ ctx, input }) => createLinks(ctx.deps, ctx.membership.project, input)),
  delete: procedureFor.member
    .input(deleteFilesInput)
    .mutation(({ ctx, input }) => removeFiles(ctx.deps, ctx.caller, input)),
});
