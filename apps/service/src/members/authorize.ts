import { DashboardError, type Role, roles } from "@stowage/schemas/dashboard";
import type { Operator } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { findMembership, type Membership } from "./find-membership.js";

/**
 * The project of a ref, for an operator who has at least `role` in it.
 *
 * @throws {DashboardError} `role_too_low`
 * @throws {StowageError} `not_found` for a project that is not theirs as for one that there is not; `unavailable`
 */
export async function authorize(
  deps: { db: Queries },
  operator: Pick<Operator, "id" | "isAdmin">,
  { projectRef, role }: { projectRef: string; role: Role },
): Promise<Membership> {
  const membership = await findMembership(deps, operator, projectRef);
  if (roles.indexOf(membership.role) < roles.indexOf(role)) throw new DashboardError("role_too_low");
  return membership;
}
