/** Every act that the audit log tells of. */
export const auditActions = [
  "installation.set_up",
  "operator.signed_in",
  "operator.sign_in_refused",
  "operator.signed_out",
  "operator.password_accepted",
  "operator.password_changed",
  "operator.password_reset_offered",
  "operator.password_reset",
  "operator.two_factor_enabled",
  "operator.two_factor_disabled",
  "project.created",
  "project.renamed",
  "project.settings_changed",
  "project.deleted",
  "key.regenerated",
  "tenant.quota_changed",
  "member.invited",
  "member.invitation_revoked",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "file.upload_requested",
  "file.deleted",
] as const;

export type AuditAction = (typeof auditActions)[number];
