export {
  auditActions,
  overviewDays,
  roles,
  sortOrders,
  tryItTenantId,
  type AuditAction,
  type OverviewDays,
  type Role,
  type SortOrder,
} from "./constants.js";
export { DashboardError, dashboardErrors, type DashboardErrorCode } from "./errors.js";
export {
  auditExportQuery,
  filesExportQuery,
  projectsExportQuery,
  tenantsExportQuery,
} from "./export-inputs.js";
export { password } from "./fields.js";
export {
  deleteFilesInput,
  fileInput,
  fileKinds,
  filesListInput,
  fileSorts,
  type DeleteFilesInput,
  type FileInput,
  type FileKind,
  type FilesListInput,
  type FileSort,
} from "./file-inputs.js";
export {
  acceptInvitationInput,
  changeRoleInput,
  finishSetupInput,
  inviteInput,
  memberInput,
  oneTimeLinkInput,
  resetPasswordInput,
  revokeInvitationInput,
  sessionInput,
  type AcceptInvitationInput,
  type ChangeRoleInput,
  type FinishSetupInput,
  type InviteInput,
  type ResetPasswordInput,
} from "./member-inputs.js";
export {
  auditListInput,
  confirmNameInput,
  createProjectInput,
  overviewDaysInput,
  projectInput,
  projectName,
  projectSorts,
  projectsListInput,
  renameProjectInput,
  settingsInput,
  watchUploadsInput,
  type AuditListInput,
  type CreateProjectInput,
  type ProjectsListInput,
  type SettingsInput,
} from "./project-inputs.js";
export {
  setTenantQuotaInput,
  tenantInput,
  tenantsListInput,
  tenantUsageInput,
  type SetTenantQuotaInput,
  type TenantInput,
  type TenantsListInput,
  type TenantUsageInput,
} from "./tenant-inputs.js";
