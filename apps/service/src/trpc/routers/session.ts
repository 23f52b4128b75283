import { auditListInput } from "@stowage/schemas/dashboard";
import { listAudit } from "#audit/list-audit.js";
import { procedureFor, router } from "../init.js";

/** The person who is signed in. Signing in and out is not here but at /auth: see http/routes/sign-in.ts. */
export const sessionRouter = router({
  me: procedureFor.operator.query(({ ctx }) => ctx.caller.operator),
  activity: procedureFor.operator
    .input(auditListInput)
    .query(({ ctx, input }) => listAudit(ctx.deps, { operatorId: ctx.caller.operator.id }, input)),
});
