import { type Role, roles } from "@stowage/schemas/dashboard";
import { useParams } from "@tanstack/react-router";
import { trpc } from "../trpc.js";

/** The ref of the project that the address names. */
export function useProjectRef(): string {
  const { projectRef } = useParams({ strict: false });
  if (projectRef === undefined) throw new Error("This page belongs below /projects/$projectRef.");
  return projectRef;
}

/** The project that the address names, and the operator's role in it. */
export function useProject() {
  const projectRef = useProjectRef();
  return trpc.projects.read.useQuery({ projectRef });
}

/** Whether `role` may do what asks for `least`. */
export function mayAs(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}
