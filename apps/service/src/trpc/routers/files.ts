import {
  browserCompleteRequest,
  browserFile,
  browserUploadRequest,
  browserUploadResponse,
  snakeKeys,
} from "@stowage/schemas";
import {
  deleteFilesInput,
  discardUploadsInput,
  fileInput,
  filesCountInput,
  filesListInput,
  foldersInput,
  holdFilesInput,
  restoreFilesInput,
  thumbnailsInput,
  tryItTenantId,
  updateFileInput,
  versionInput,
  visibilityInput,
} from "@stowage/operator-schemas";
import { changeVisibility } from "#visibility/change-visibility.js";
import { deleteFilesAsOperator } from "#files/delete/delete-selection.js";
import { holdFilesAsOperator, restoreFilesAsOperator } from "#files/lifecycle/keep-files.js";
import { discardUploads } from "#files/upload/discard-uploads.js";
import { tryUpload } from "#files/upload/try-upload.js";
import { createThumbnails } from "#deliver/create-thumbnails.js";
import { createLinks, createVersionLink } from "#deliver/create-links.js";
import { retryVariantsOfFile } from "#images/retry-variants.js";
import { browseFiles } from "#files/list/browse-files.js";
import { countFiles } from "#files/list/count-files.js";
import { listFolders } from "#files/list/list-folders.js";
import { readFile } from "#files/list/read-file.js";
import { readHistory } from "#files/list/read-history.js";
import { updateFileAudited } from "#files/organise/update-file.js";
import { completeUpload } from "#files/settle/complete-upload.js";
import { listVersionsOfFile } from "#files/versions/find-versions.js";
import { restoreVersionAudited } from "#files/versions/restore-version.js";
import { listVariantsOfFile } from "#images/list-variants.js";
import { procedureFor, router } from "../procedures.js";

export const filesRouter = router({
  list: procedureFor.viewer
    .input(filesListInput)
    .query(({ ctx, input: { projectRef: _, ...query } }) =>
      browseFiles(ctx.deps, ctx.membership.project, query),
    ),
  folders: procedureFor.viewer
    .input(foldersInput)
    .query(({ ctx, input: { projectRef: _, ...query } }) =>
      listFolders(ctx.deps, ctx.membership.project, query),
    ),
  count: procedureFor.viewer
    .input(filesCountInput)
    .query(({ ctx, input: { projectRef: _, ...query } }) =>
      countFiles(ctx.deps, ctx.membership.project, query),
    ),
  read: procedureFor.viewer
    .input(fileInput)
    .query(({ ctx, input }) => readFile(ctx.deps, ctx.membership.project, input)),
  history: procedureFor.viewer
    .input(fileInput)
    .query(({ ctx, input }) => readHistory(ctx.deps, ctx.membership.project, input)),
  variants: procedureFor.viewer
    .input(fileInput)
    .query(({ ctx, input }) => listVariantsOfFile(ctx.deps, ctx.membership.project, input)),
  retryVariants: procedureFor.member
    .input(fileInput)
    .mutation(({ ctx, input: { fileId } }) =>
      retryVariantsOfFile(ctx.deps, ctx.caller, { fileId }, { includeImpossible: false }),
    ),
  // A mutation, although it changes nothing: caches keep a query's result, and these URLs give access to the file.
  links: procedureFor.viewer
    .input(fileInput)
    .mutation(({ ctx, input }) => createLinks(ctx.deps, ctx.membership.project, input)),
  versions: procedureFor.viewer
    .input(fileInput)
    .query(({ ctx, input }) => listVersionsOfFile(ctx.deps, ctx.membership.project, input)),
  // Mutations for the same reason.
  versionLink: procedureFor.viewer
    .input(versionInput)
    .mutation(({ ctx, input }) => createVersionLink(ctx.deps, ctx.membership.project, input)),
  thumbnails: procedureFor.viewer
    .input(thumbnailsInput)
    .mutation(({ ctx, input }) => createThumbnails(ctx.deps, ctx.membership.project, input)),
  delete: procedureFor.member
    .input(deleteFilesInput)
    .mutation(({ ctx, input }) => deleteFilesAsOperator(ctx.deps, ctx.caller, input)),
  restore: procedureFor.member
    .input(restoreFilesInput)
    .mutation(({ ctx, input }) => restoreFilesAsOperator(ctx.deps, ctx.caller, input)),
  restoreVersion: procedureFor.member.input(versionInput).mutation(async ({ ctx, input }) => {
    const { file } = await restoreVersionAudited(ctx.deps, ctx.caller, input);
    return { fileId: file.id };
  }),
  hold: procedureFor.member
    .input(holdFilesInput)
    .mutation(({ ctx, input }) => holdFilesAsOperator(ctx.deps, ctx.caller, input)),
  update: procedureFor.member
    .input(updateFileInput)
    .mutation(async ({ ctx, input: { fileId, filename, folder } }) => {
      await updateFileAudited(ctx.deps, ctx.caller, { fileIds: [fileId] }, { filename, folder });
    }),
  setVisibility: procedureFor.member
    .input(visibilityInput)
    .mutation(({ ctx, input }) => changeVisibility(ctx.deps, ctx.caller, input)),
  discardUploads: procedureFor.member
    .input(discardUploadsInput)
    .mutation(({ ctx, input }) => discardUploads(ctx.deps, ctx.caller, input)),
});

/** The upload widget on the dashboard's "Try it" page. Answers like the helper in a customer's backend. */
export const tryItRouter = router({
  request: procedureFor.member
    .input(browserUploadRequest)
    .mutation(async ({ ctx, input }) =>
      browserUploadResponse.parse(snakeKeys(await tryUpload(ctx.deps, ctx.caller, input))),
    ),
  complete: procedureFor.member.input(browserCompleteRequest).mutation(async ({ ctx, input }) => {
    const upload = { ...input, tenantId: tryItTenantId };
    return browserFile.parse(snakeKeys(await completeUpload(ctx.deps, ctx.membership.project, upload)));
  }),
});
