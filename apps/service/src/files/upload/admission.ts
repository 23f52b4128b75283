/** Where an upload goes: into the project of a key, or into one that is known already. */
export type Into = { apiKeyHash: string } | { projectId: number };

/** One upload that asks to be let in. */
export interface Admission {
  into: Into;
  tenantId: string;
  /** The ref that the tenant gets if this request is the one that makes it. */
  newTenantRef: string;
  /** The last segment of the path: `<prefix>_<name>`. */
  objectName: string;
  filename: string;
  contentType: string;
  sizeBytes: number | null;
  metadata: Record<string, string>;
  now: Date;
  urlExpiresAt: Date;
  /** When the sweeper looks for the bytes. */
  nextLookAt: Date;
  /** Bytes each tenant may use when neither it nor its project says otherwise; null for no quota. */
  defaultQuotaBytes: number | null;
}

export type AdmissionResult =
  | { outcome: "unknown_project" }
  | { outcome: "size_required" }
  | { outcome: "file_too_large"; maxFileBytes: number }
  | { outcome: "quota_exceeded" }
  | { outcome: "admitted"; path: string; isNewTenant: boolean; maxFileBytes: number };

/**
 * Lets one upload in, or says why not.
 *
 * @throws {StowageError} `unavailable`
 */
export type Admit = (upload: Admission) => Promise<AdmissionResult>;
