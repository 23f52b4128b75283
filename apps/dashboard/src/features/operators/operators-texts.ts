import type { ProjectCreationPolicy } from "@stowage/operator-schemas";

/** Texts of the administrators' page of all operators. */
export const operators = {
  title: "Operators",
  hint: "Everyone who can sign in to this dashboard. Owners of projects invite them.",
  adminsOnly: "Only administrators can see this page.",
  search: "Search by name or email address",
  name: "Name",
  administrator: "Administrator",
  twoFactor: "Two-step sign-in",
  on: "On",
  off: "Off",
  since: "Joined",
  mayCreate: "New projects",
  mayCreateOf: (name: string) => `${name} can create projects`,
  yes: "Yes",
  no: "No",
  alwaysMay: "Administrators can always create projects.",
  /** Says what decides who may create projects. */
  policies: {
    admins: "Only administrators can create projects: the service's setting PROJECT_CREATION is “admins”.",
    granted: "Administrators and the operators whom you allow can create projects.",
    everyone: "Every operator can create projects: the service's setting PROJECT_CREATION is “everyone”.",
  } satisfies Record<ProjectCreationPolicy, string>,
  sessions: "Sessions",
  end: "End",
  endSessions: "End sessions",
  endSessionsOf: (name: string) => `End all sessions of ${name}`,
  endSessionsHint: (email: string) =>
    `${email} is signed out of all browsers at their next request, and can sign in again. If this is your own account, you stay signed in here.`,
  endedSessions: (count: number) => (count === 1 ? "1 session has ended." : `${count} sessions have ended.`),
  granted: (name: string) => `${name} can now create projects.`,
  withdrawn: (name: string) => `${name} can no longer create projects.`,
} as const;
