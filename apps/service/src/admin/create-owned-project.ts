import type { CreateProjectInput } from "@stowage/schemas/dashboard";
import { eq } from "drizzle-orm";
import type { Caller } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import { projectMembers, projects } from "#db/schema/index.js";
import { createProject, type ProjectDeps, type ProjectWithKey } from "#projects/create-project.js";

/**
 * Creates a project that the caller owns. Only this result contains the project's API key.
 *
 * @throws {StowageError} `unavailable`
 */
export function createOwnedProject(
  deps: ProjectDeps,
  caller: Caller,
  input: CreateProjectInput,
): Promise<ProjectWithKey> {
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
