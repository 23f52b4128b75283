import type { AuditAction } from "@stowage/schemas/dashboard";

/** The lines of the audit log, as people say them. */
const actions: Partial<Record<AuditAction, string>> = {
  "installation.set_up": "Set up Stowage",
  "operator.signed_in": "Signed in",
  "operator.sign_in_refused": "Sign-in refused",
  "operator.signed_out": "Signed out",
  "operator.password_accepted": "Password accepted, code asked for",
  "operator.password_changed": "Password changed",
  "operator.password_reset_offered": "Password link made",
  "operator.password_reset": "Password set by a link",
  "operator.two_factor_enabled": "Two-step sign-in turned on",
  "operator.two_factor_disabled": "Two-step sign-in turned off",
  "project.created": "Project created",
  "project.renamed": "Project renamed",
  "project.settings_changed": "Project settings changed",
  "project.deleted": "Project deleted",
  "key.regenerated": "API key regenerated",
  "member.invited": "Somebody invited",
  "member.invitation_revoked": "Invitation taken back",
  "member.joined": "Joined a project",
  "member.role_changed": "Role changed",
  "member.removed": "Member removed",
};

/** What was done; an action of a newer version of the service is shown as it is called. */
export const auditActionText = (action: string): string =>
  actions[action as AuditAction] ?? action.replace(/[._]/g, " ");
