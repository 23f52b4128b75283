/** What a person may do in a project, the least first: each may do what those before it may. */
export const roles = ["viewer", "member", "owner"] as const;

export type Role = (typeof roles)[number];
