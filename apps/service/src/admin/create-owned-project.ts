import type { CreateProjectInput, ProjectCreationPolicy } from "@stowage/schemas/dashboard";
import { eq } from "drizzle-orm";
import type { Caller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { projectMembers, projects } from "#db/schema/index.js";
import { createProject, type ProjectDeps, type ProjectWithKey } from "#projects/create-project.js";
import { type ProjectCreator, requireProjectCreation } from "./project-creation.js";

/**
 * Creates a project that the caller owns. Only this result contains the project's API key.
 *
 * @throws {DashboardError} `project_creation_refused`; {@link StowageError} `unavailable`
 */
export async function createOwnedProject(
  deps: ProjectDeps & { projectCreation: ProjectCreationPolicy },
  caller: Caller & { operator: ProjectCreator },
  input: CreateProjectInput,
): Promise<ProjectWithKey> {
  requireProjectCreation(deps.projectCreation, caller.operator);
  return auditedTransaction(deps, caller, async (deps, tx) => {
    const result = await createProject(deps, input);
    const [project] = await tx.select({ id: projects.id }).from(projects).where(eq(projects.ref, result.ref));
    const projectId = project!.id;
    await tx.insert(projectMembers).values({
      projectId,
      operatorId: caller.operator.id,
      role: "owner",
      createdAt: deps.clock(),
    });
    return { result, entry: { action: "project.created", projectId, details: { name: input.name } } };
  });
}
