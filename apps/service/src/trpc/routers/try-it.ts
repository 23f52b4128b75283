import {
  browserCompleteRequest,
  browserFile,
  browserUploadRequest,
  browserUploadResponse,
  snakeKeys,
} from "@stowage/schemas";
import { tryItTenantId } from "@stowage/schemas/dashboard";
import { completeUpload } from "#files/settle/complete-upload.js";
import { tryUpload } from "#admin/try-upload.js";
import { procedureFor, router } from "../init.js";

/** Our own widget on the dashboard: what the helper answers in a customer's backend, in the same words. */
export const tryItRouter = router({
  request: procedureFor.member
    .input(browserUploadRequest)
    .mutation(async ({ ctx, input }) =>
      browserUploadResponse.parse(snakeKeys(await tryUpload(ctx.deps, ctx.caller, input))),
    ),
  complete: procedureFor.member.input(browserCompleteRequest).mutation(async ({ ctx, input }) => {
    const mine = { ...input, tenantId: tryItTenantId };
    return browserFile.parse(snakeKeys(await completeUpload(ctx.deps, ctx.membership.project, mine)));
  }),
});
