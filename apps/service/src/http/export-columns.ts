import type { AuditLine } from "#audit/list-audit.js";
import type { ListedFile } from "#files/list/browse-files.js";
import type { ProjectWithRole } from "#members/visible-projects.js";
import type { TenantRecord } from "#tenants/tenant-record.js";
import type { Columns } from "./csv.js";
import { isCounted } from "#files/record/file-conditions.js";

/*
 * The columns of each export. Users' spreadsheets depend on the names and the order, so add new columns at the end.
 */

export const fileColumns: Columns<ListedFile> = {
  id: (file) => file.id,
  filename: (file) => file.filename,
  path: (file) => file.path,
  tenant_id: (file) => file.tenantId,
  status: (file) => file.status,
  content_type: (file) => file.contentType,
  declared_size_bytes: (file) => file.declaredSizeBytes,
  size_bytes: (file) => file.sizeBytes,
  created_at: (file) => file.createdAt,
  stored_at: (file) => file.storedAt,
  /** Only of uploads by parts. */
  part_size_bytes: ({ parts }) => parts && parts.sizeBytes,
  part_count: ({ parts }) => parts && parts.count,
  /** Only of open uploads by parts. */
  parts_stored: ({ status, parts }) => (status === "pending" && parts ? parts.storedCount : null),
  part_bytes_stored: ({ status, parts }) => (status === "pending" && parts ? parts.storedBytes : null),
  /** Only of files that are not stored. */
  upload_expires_at: ({ status, urlExpiresAt }) => (isCounted(status) ? null : urlExpiresAt),
  expires_at: (file) => file.expiresAt,
  /** Only of files in the trash. */
  purge_at: (file) => file.purgeAt,
  hold: (file) => file.isHeld,
  scan_status: (file) => file.scanStatus,
};

export const tenantColumns: Columns<TenantRecord> = {
  tenant_id: (tenant) => tenant.tenantId,
  used_bytes: (tenant) => tenant.usedBytes,
  reserved_bytes: (tenant) => tenant.reservedBytes,
  file_count: (tenant) => tenant.fileCount,
  quota_bytes: (tenant) => tenant.quotaBytes,
  quota_source: (tenant) => tenant.quotaSource,
  created_at: (tenant) => tenant.createdAt,
  plan: (tenant) => tenant.plan,
  max_files: (tenant) => tenant.maxFiles,
  max_open_uploads: (tenant) => tenant.maxOpenUploads,
  uploads_per_minute: (tenant) => tenant.uploadsPerMinute,
};

export const projectColumns: Columns<ProjectWithRole> = {
  ref: (project) => project.ref,
  name: (project) => project.name,
  role: (project) => project.role,
  default_quota_bytes: (project) => project.defaultQuotaBytes,
  max_file_bytes: (project) => project.maxFileBytes,
  require_size: (project) => project.requireSize,
  created_at: (project) => project.createdAt,
  trash_days: (project) => project.trashDays,
  max_versions: (project) => project.maxVersions,
  scan: (project) => project.scan,
  allow_unscannable: (project) => project.allowUnscannable,
  allow_over_quota: (project) => project.allowOverQuota,
};

export const auditColumns: Columns<AuditLine> = {
  id: (line) => line.id,
  at: (line) => line.at,
  action: (line) => line.action,
  operator_email: (line) => line.operatorEmail,
  details: (line) => JSON.stringify(line.details),
  ip_address: (line) => line.ipAddress,
  user_agent: (line) => line.userAgent,
};
