import type { CreateProjectInput, ProjectCreationPolicy } from "@stowage/operator-schemas";
import { eq } from "drizzle-orm";
import type { AuditActor, Caller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { projectMembers, projects } from "#db/schema/index.js";
import {
  createProject,
  type NewProject,
  type ProjectDeps,
  type ProjectWithKey,
} from "#projects/create-project.js";
import { chooseStorage, namesOfStorages, type Storages } from "#projects/storages.js";
import { type ProjectCreator, requireProjectCreation } from "./project-creation.js";

/**
 * Creates a project that the caller owns. Only this result contains the project's API key.
 *
 * @throws {DashboardError} `project_creation_refused`; {@link StowageError} `invalid_request` for a storage that there is not; `unavailable`
 */
export async function createOwnedProject(
  deps: ProjectDeps & { projectCreation: ProjectCreationPolicy; storages: Pick<Storages, "all"> },
  caller: Caller & { operator: ProjectCreator },
  input: CreateProjectInput,
): Promise<ProjectWithKey> {
  requireProjectCreation(deps.projectCreation, caller.operator);
  const storage = chooseStorage(namesOfStorages(deps.storages), input.storage);
  return createAudited(deps, caller, { ...input, storage }, caller.operator.id);
}

/** Creates a project without an owner, for the command line. @throws {StowageError} `unavailable` */
export function createProjectWithoutOwner(
  deps: ProjectDeps,
  actor: AuditActor,
  input: NewProject,
): Promise<ProjectWithKey> {
  return createAudited(deps, actor, input, null);
}

function createAudited(
  deps: ProjectDeps,
  actor: AuditActor,
  input: NewProject,
  ownerId: string | null,
): Promise<ProjectWithKey> {
  return auditedTransaction(deps, actor, async (deps, tx) => {
    const result = await createProject(deps, input);
    const [project] = await tx.select({ id: projects.id }).from(projects).where(eq(projects.ref, result.ref));
    const projectId = project!.id;
    if (ownerId !== null)
      await tx
        .insert(projectMembers)
        .values({ projectId, operatorId: ownerId, role: "owner", createdAt: deps.clock() });
    const details = { name: input.name, ...(input.storage && { storage: input.storage }) };
    return { result, entry: { action: "project.created", projectId, details } };
  });
}
