/*
 * What the service answers, as docs/api.md describes it. It is written here a second time: a suite that imported the product's schemas
 * would accept every mistake that is in them.
 */

export interface Upload {
  presigned_url: string;
  file_path: string;
  tenant_id: string;
  is_new_tenant: boolean;
  content_type: string;
  headers: Record<string, string>;
  expires_at: string;
  max_bytes: number;
}

export interface OpenUpload {
  file_path: string;
  tenant_id: string;
  is_new_tenant: boolean;
  part_size: number;
  part_count: number;
  expires_at: string;
  max_bytes: number;
}

export interface Part {
  number: number;
  presigned_url: string;
  headers: Record<string, string>;
  size: number;
  expires_at: string;
}

export interface FileRecord {
  file_path: string;
  tenant_id: string;
  filename: string;
  content_type: string;
  size: number | null;
  status: string;
  etag: string | null;
  metadata: Record<string, string>;
  folder: string;
  created_at: string;
  stored_at: string | null;
  scan_status: string;
  expires_at?: string;
  public_url?: string;
}

export interface FilePage {
  files: FileRecord[];
  next_cursor: string | null;
}

export interface StartedJob {
  job_id: string;
}

export interface FolderPage {
  folders: { folder: string; file_count: number; used_bytes: number }[];
  next_cursor: string | null;
}

export interface Link {
  link_id: string;
  file_path: string;
  tenant_id: string;
  created_at: string;
  expires_at: string | null;
  max_downloads: number | null;
  downloads: number;
  has_password: boolean;
  disposition: string;
}

export interface Download {
  presigned_url: string;
  file_path: string;
  filename: string;
  content_type: string;
  size: number;
  expires_at: string;
}

export interface Tenant {
  tenant_id: string;
  used_bytes: number;
  reserved_bytes: number;
  file_count: number;
  quota_bytes: number | null;
  quota_source: string | null;
  created_at: string;
}

export interface Usage {
  used_bytes: number;
  reserved_bytes: number;
  file_count: number;
  quota_bytes: number | null;
}

/** What a row of a day or a month has beside its name. */
export interface Meters {
  byte_seconds: string;
  peak_bytes: number;
  file_count: number;
  uploads: number;
  downloads_signed: number;
  bytes_signed: number;
  bytes_delivered: number | null;
}

/** The HTTP status of each error code: docs/errors/README.md. */
export const STATUS_OF_CODE: Record<string, number> = {
  unauthorized: 401,
  invalid_json: 400,
  invalid_request: 400,
  filename_required: 400,
  tenant_id_required: 400,
  size_required: 400,
  file_too_large: 400,
  quota_exceeded: 403,
  file_limit_exceeded: 403,
  file_not_scanned: 403,
  file_quarantined: 403,
  not_found: 404,
  tenant_not_found: 404,
  file_not_found: 404,
  link_not_found: 404,
  job_not_found: 404,
  preset_not_found: 404,
  plan_not_found: 404,
  method_not_allowed: 405,
  upload_not_found: 409,
  upload_incomplete: 409,
  upload_expired: 409,
  upload_already_stored: 409,
  file_on_hold: 409,
  file_being_replaced: 409,
  folder_busy: 409,
  tenant_being_deleted: 409,
  plan_in_use: 409,
  variant_pending: 409,
  scan_outdated: 409,
  cursor_expired: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  variant_impossible: 415,
  variant_failed: 422,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
};
