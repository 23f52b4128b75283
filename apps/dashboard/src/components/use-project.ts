import { type Role, roles } from "@stowage/operator-schemas";
import { useParams } from "@tanstack/react-router";
import { trpc } from "../trpc.js";

/** The project reference in the address. */
export function useProjectRef(): string {
  const { projectRef } = useParams({ strict: false });
  if (projectRef === undefined)
    throw new Error("useProjectRef must be called below the route /projects/$projectRef.");
  return projectRef;
}

/** The project in the address, with the operator's role in it. */
export function useProject() {
  const projectRef = useProjectRef();
  return trpc.projects.read.useQuery({ projectRef });
}

/** Returns whether `role` has at least the rights of `minimum`. */
export function hasRole(role: Role, minimum: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(minimum);
}
