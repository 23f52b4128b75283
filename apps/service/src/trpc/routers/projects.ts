import {
  auditListInput,
  confirmNameInput,
  createProjectInput,
  projectsListInput,
  renameProjectInput,
  settingsInput,
} from "@stowage/operator-schemas";
import { describePages } from "#doctor/cors-forms.js";
import { changeProject } from "#members/change-project.js";
import { createOwnedProject } from "#members/create-owned-project.js";
import { deleteProject } from "#purge/delete-project.js";
import { describeKey, replaceKey } from "#members/project-key.js";
import { listVisibleProjects, readProject } from "#members/visible-projects.js";
import { listAudit } from "#audit/list-audit.js";
import { hashApiKey } from "#projects/api-key.js";
import type { ProjectWithKey } from "#projects/create-project.js";
import { namesOfStorages } from "#projects/storages.js";
import type { TrpcDeps } from "../context.js";
import { procedureFor, router } from "../procedures.js";

const EXAMPLE_ORIGIN = "https://app.example.com";

export const projectsRouter = router({
  list: procedureFor.operator
    .input(projectsListInput)
    .query(({ ctx, input }) => listVisibleProjects(ctx.deps, ctx.caller.operator, input)),
  create: procedureFor.operator
    .input(createProjectInput)
    .mutation(async ({ ctx, input }) =>
      learnKey(ctx.deps, await createOwnedProject(ctx.deps, ctx.caller, input)),
    ),
  /** The names of the storages that a new project can have, the default first. None if there is no choice. */
  storages: procedureFor.operator.query(({ ctx }) => namesOfStorages(ctx.deps.storages)),
  read: procedureFor.viewer.query(({ ctx }) => readProject(ctx.deps, ctx.membership)),
  /** How pages of customers get into the bucket. */
  pages: procedureFor.viewer.query(({ ctx }) =>
    describePages(ctx.storage.address, EXAMPLE_ORIGIN, ctx.storage.name),
  ),
  delete: procedureFor.owner
    .input(confirmNameInput)
    .mutation(({ ctx, input }) => deleteProject(ctx.deps, ctx.caller, input)),
});

export const settingsRouter = router({
  rename: procedureFor.owner
    .input(renameProjectInput)
    .mutation(({ ctx, input: { name } }) => changeProject(ctx.deps, ctx.caller, { name })),
  update: procedureFor.owner
    .input(settingsInput)
    .mutation(({ ctx, input: { projectRef: _, ...change } }) => changeProject(ctx.deps, ctx.caller, change)),
});

export const keyRouter = router({
  describe: procedureFor.viewer.query(({ ctx }) => describeKey(ctx.deps, ctx.membership.project)),
  regenerate: procedureFor.owner
    .input(confirmNameInput)
    .mutation(async ({ ctx, input }) => learnKey(ctx.deps, await replaceKey(ctx.deps, ctx.caller, input))),
});

export const auditRouter = router({
  list: procedureFor.owner
    .input(auditListInput)
    .query(({ ctx, input: { projectRef: _, ...query } }) =>
      listAudit(ctx.deps, { projectId: ctx.membership.project.id }, query),
    ),
});

/** Makes a new key known to this replica, so that it works here even for a client that may not look up keys at the moment. */
async function learnKey({ keys }: Pick<TrpcDeps, "keys">, project: ProjectWithKey): Promise<ProjectWithKey> {
  await keys.learn(hashApiKey(project.apiKey));
  return project;
}
