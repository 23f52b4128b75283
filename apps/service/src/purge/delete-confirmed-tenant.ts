import { DashboardError, type DeleteTenantInput } from "@stowage/operator-schemas";
import type { ProjectCaller } from "#audit/caller.js";
import { deleteTenant, type DeleteTenantDeps, type TenantDeletion } from "./delete-tenant.js";

/**
 * Deletes a tenant with everything that the service knows of it, for an operator: see {@link deleteTenant}. A job continues with the
 * deletion.
 *
 * @param input.confirmation the tenant's ID, which the caller typed to confirm
 * @throws {DashboardError} `name_mismatch`; and the errors of {@link deleteTenant}
 */
export async function deleteTenantAsOperator(
  deps: DeleteTenantDeps,
  caller: ProjectCaller,
  { tenantId, confirmation }: DeleteTenantInput,
): Promise<TenantDeletion> {
  if (tenantId !== confirmation) throw new DashboardError("name_mismatch");
  return deleteTenant(deps, caller.project, tenantId, caller);
}
