import { limits } from "@stowage/schemas";
import { createLinkInput, linksListInput, revokeLinkInput } from "@stowage/operator-schemas";
import { listLinks } from "#files/list/list-links.js";
import { createLinkAudited } from "#links/create-link.js";
import { revokeLinkAudited } from "#links/revoke-link.js";
import { procedureFor, router } from "../procedures.js";

/** Share links of a file. Only the answer of `create` has the URL. */
export const linksRouter = router({
  list: procedureFor.viewer
    .input(linksListInput)
    .query(({ ctx, input: { filePath, cursor } }) =>
      listLinks(ctx.deps, ctx.membership.project, { filePath, cursor, limit: limits.pageSize }),
    ),
  create: procedureFor.member
    .input(createLinkInput)
    .mutation(({ ctx, input }) => createLinkAudited(ctx.deps, ctx.caller, input)),
  revoke: procedureFor.member
    .input(revokeLinkInput)
    .mutation(({ ctx, input }) => revokeLinkAudited(ctx.deps, ctx.caller, input)),
});
