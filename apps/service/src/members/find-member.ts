import { StowageError } from "@stowage/schemas";
import { DashboardError, type Role } from "@stowage/schemas/dashboard";
import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { operators, projectMembers } from "#db/schema/index.js";

/** @throws {StowageError} `not_found` for somebody who is not in this project */
export async function findMember(
  tx: Transaction,
  projectId: number,
  operatorId: string,
): Promise<{ email: string; role: Role }> {
  const [member] = await tx
    .select({ email: operators.email, role: projectMembers.role })
    .from(projectMembers)
    .innerJoin(operators, eq(operators.id, projectMembers.operatorId))
    .where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.operatorId, operatorId)));
  if (!member) throw new StowageError("not_found", { detail: "Member not found" });
  return member;
}

/**
 * Call with the project locked: two owners who leave at once would each see the other.
 *
 * @throws {DashboardError} `last_owner`
 */
export async function requireOtherOwner(
  tx: Transaction,
  projectId: number,
  operatorId: string,
): Promise<void> {
  const [other] = await tx
    .select({ operatorId: projectMembers.operatorId })
    .from(projectMembers)
    .where(
      and(
        eq(projectMembers.projectId, projectId),
        eq(projectMembers.role, "owner"),
        ne(projectMembers.operatorId, operatorId),
      ),
    )
    .limit(1);
  if (!other) throw new DashboardError("last_owner");
}
