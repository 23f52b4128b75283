import { auditListInput } from "@stowage/schemas/dashboard";
import { listAudit } from "#audit/list-audit.js";
import { procedureFor, router } from "../init.js";

export const auditRouter = router({
  list: procedureFor.owner
    .input(auditListInput)
    .query(({ ctx, input }) => listAudit(ctx.deps, { projectId: ctx.membership.project.id }, input)),
});
