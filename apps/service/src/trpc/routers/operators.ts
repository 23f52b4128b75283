import { memberInput, operatorsListInput, setProjectGrantInput } from "@stowage/operator-schemas";
import { listOperatorsPage, setProjectGrant } from "#members/manage-operators.js";
import { endSessionsAsAdmin } from "#auth/end-sessions.js";
import { procedureFor, router } from "../procedures.js";

/** All operators of the installation, for its administrators. */
export const operatorsRouter = router({
  list: procedureFor.admin
    .input(operatorsListInput)
    .query(({ ctx, input }) => listOperatorsPage(ctx.deps, input)),
  setProjectGrant: procedureFor.admin
    .input(setProjectGrantInput)
    .mutation(({ ctx, input }) => setProjectGrant(ctx.deps, ctx.caller, input)),
  endSessions: procedureFor.admin
    .input(memberInput)
    .mutation(({ ctx, input }) => endSessionsAsAdmin(ctx.deps, ctx.caller, input)),
});
