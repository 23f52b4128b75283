import type { Project } from "#projects/find-project.js";

/** A person who is signed in to the dashboard. */
export interface Operator {
  id: string;
  name: string;
  email: string;
  /** True for an admin of the whole installation. */
  isAdmin: boolean;
  /** Whether an admin granted them the right to create projects: see members/project-creation.ts. */
  hasProjectGrant: boolean;
  twoFactorEnabled: boolean;
}

/** Where a call came from. Both are empty when the service cannot know them. */
export interface ClientInfo {
  ipAddress: string;
  userAgent: string;
}

/** The operator who makes a call, and where the call came from. */
export interface Caller {
  operator: Pick<Operator, "id" | "email">;
  client: ClientInfo;
}

/** A caller whose role in `project` was already checked. */
export interface ProjectCaller extends Caller {
  project: Project;
}

/** Client of the commands of `stowage operator`: they run without an HTTP request. */
export const commandLineClient: ClientInfo = { ipAddress: "", userAgent: "the command line" };

/** Who changes a project: an operator whose role was checked, the command line, or the service itself. */
export interface ProjectActor {
  /** `id` is null if it is not an operator. */
  operator: { id: string | null; email: string };
  client: ClientInfo;
  project: Project;
}

/** The service as the author of an entry of the audit log. */
export const serviceActor: Omit<ProjectActor, "project"> = {
  operator: { id: null, email: "service" },
  client: { ipAddress: "", userAgent: "" },
};

/** The command line as the author of an entry, for commands that name no operator. */
export const commandLineActor: Omit<ProjectActor, "project"> = {
  operator: { id: null, email: "command line" },
  client: commandLineClient,
};

/** Who an audit entry names, and where the call came from. */
export type AuditActor = Omit<ProjectActor, "project">;

/** The customer's backend, which has the API key of its project. */
export function keyActor(client: ClientInfo): AuditActor {
  return { operator: { id: null, email: "API key" }, client };
}
