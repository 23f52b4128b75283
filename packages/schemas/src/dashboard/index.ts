export { auditActions, type AuditAction } from "./audit.js";
export { DashboardError, dashboardErrors, type DashboardErrorCode } from "./errors.js";
export {
  auditExportQuery,
  filesExportQuery,
  projectsExportQuery,
  tenantsExportQuery,
} from "./export-inputs.js";
export {
  deleteFilesInput,
  fileInput,
  fileKinds,
  filesListInput,
  fileSorts,
  sortOrders,
  type DeleteFilesInput,
  type FileInput,
  type FileKind,
  type FilesListInput,
  type FileSort,
  type SortOrder,
} from "./file-inputs.js";
export {
  acceptInvitationInput,
  auditListInput,
  changeRoleInput,
  confirmNameInput,
  createProjectInput,
  finishSetupInput,
  inviteInput,
  memberInput,
  oneTimeLinkInput,
  password,
  projectInput,
  projectName,
  projectSorts,
  projectsListInput,
  renameProjectInput,
  resetPasswordInput,
  revokeInvitationInput,
  settingsInput,
  type AcceptInvitationInput,
  type AuditListInput,
  type ChangeRoleInput,
  type CreateProjectInput,
  type FinishSetupInput,
  type InviteInput,
  type ProjectsListInput,
  type ResetPasswordInput,
  type SettingsInput,
} from "./inputs.js";
export { overviewDays, type OverviewDays } from "./overview-days.js";
export { overviewDaysInput, watchUploadsInput } from "./overview-inputs.js";
export { roles, type Role } from "./roles.js";
export { tryItTenantId } from "./try-it.js";
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
