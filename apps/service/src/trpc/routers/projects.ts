import { confirmNameInput, createProjectInput, projectsListInput } from "@stowage/schemas/dashboard";
import { deleteProject } from "#admin/delete-project.js";
import { listOwnProjects } from "#admin/list-own-projects.js";
import { createOwnedProject } from "#admin/create-owned-project.js";
import { readProject } from "#admin/read-project.js";
import { procedureFor, router } from "../init.js";

export const projectsRouter = router({
  list: procedureFor.operator
    .input(projectsListInput)
    .query(({ ctx, input }) => listOwnProjects(ctx.deps, ctx.caller.operator, input)),
  create: procedureFor.operator
    .input(createProjectInput)
    .mutation(({ ctx, input }) => createOwnedProject(ctx.deps, ctx.caller, input)),
  read: procedureFor.viewer.query(({ ctx }) => readProject(ctx.deps, ctx.membership)),
  delete: procedureFor.owner
    .input(confirmNameInput)
    .mutation(({ ctx, input }) => deleteProject(ctx.deps, ctx.caller, input)),
});
