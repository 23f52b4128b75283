/*
 * Without zod: the dashboard uses these values on its first page, which must not load zod.
 */

/** Every action that the audit log records. */
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
  "operator.oidc_connected",
  "operator.oidc_disconnected",
  "operator.password_exception_granted",
  "operator.password_exception_withdrawn",
  "operator.session_ended",
  "operator.sessions_ended",
  "operator.project_creation_granted",
  "operator.project_creation_withdrawn",
  "project.created",
  "project.renamed",
  "project.settings_changed",
  "project.storage_changed",
  "project.files_imported",
  "project.files_exported",
  "project.rescanned",
  "project.variants_retried",
  "project.deleted",
  "key.regenerated",
  "tenant.quota_changed",
  "tenant.limits_changed",
  "plan.created",
  "plan.changed",
  "plan.deleted",
  "tenant.deleted",
  "tenant.exported",
  "member.invited",
  "member.invitation_revoked",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "file.upload_requested",
  "file.deleted",
  "file.trashed",
  "file.restored",
  "file.held",
  "file.released",
  "file.updated",
  "file.upload_discarded",
  "file.quarantine_released",
  "file.variants_retried",
  "file.made_public",
  "file.made_private",
  "folder.moved",
  "folder.deleted",
  "link.created",
  "link.revoked",
  "preset.created",
  "preset.changed",
  "preset.deleted",
  "webhook.created",
  "webhook.changed",
  "webhook.secret_rotated",
  "webhook.disabled",
  "webhook.enabled",
  "webhook.deleted",
  "webhook.tested",
  "webhook.redelivered",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Why a sign-in with OpenID Connect was refused. The sign-in page has a text for each. */
export const oidcRefusals = [
  /** The person did not allow the sign-in at the provider. */
  "cancelled",
  /** The sign-in took too long, was used before, or belongs to another browser. */
  "expired",
  "provider_unreachable",
  /** The provider refused the sign-in or the client. */
  "provider_refused",
  /** The ID token failed a check. */
  "answer_invalid",
  "email_missing",
  "email_unverified",
  /** No account is connected, and no invitation was opened. */
  "not_invited",
  /** An account with this address exists and is not connected. */
  "not_connected",
  /** The invitation is for another address. */
  "other_address",
  /** The invitation or the set-up link is no longer valid. */
  "link_invalid",
  "second_factor_missing",
  /** The provider's account is connected to another operator, or the operator to another account. */
  "already_connected",
  "too_many_requests",
  "unavailable",
] as const;
export type OidcRefusal = (typeof oidcRefusals)[number];

/** What a delivery of a webhook is: waiting, done, given up, or not sent because its endpoint was disabled. */
export const webhookDeliveryStates = ["pending", "delivered", "failed", "skipped"] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

/**
 * For how long a delivery that is being sent belongs to one replica. Until it has ended, the next try of the delivery is the end of this
 * time. If the replica dies, another one sends the delivery then.
 */
export const deliveryLeaseMs = 60_000;

/** Why an endpoint is disabled: an operator did it, it answered 410, or every try failed for five days. */
export const webhookDisabledReasons = ["operator", "gone", "failing"] as const;
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number];

/** Roles in a project. Each may do everything that the roles before it may do. */
export const roles = ["viewer", "member", "owner"] as const;
export type Role = (typeof roles)[number];

/** Who may create projects: admins only, also the operators to whom an admin granted it, or every operator. */
export const projectCreationPolicies = ["admins", "granted", "everyone"] as const;
export type ProjectCreationPolicy = (typeof projectCreationPolicies)[number];

/** Who scans the files of a project for viruses: no scanner, the service's own worker with clamd, or the customer's own scanner. */
export const scanSettings = ["off", "clamav", "external"] as const;
export type ScanSetting = (typeof scanSettings)[number];

/** How an image is fitted into the size of a preset: `cover` fills it and cuts the rest off, `inside` shows the whole image. */
export const presetFits = ["cover", "inside"] as const;
export type PresetFit = (typeof presetFits)[number];

/** The format of a preset's variants. `auto`: AVIF for a browser that accepts it, WebP otherwise. */
export const imageFormats = ["auto", "webp", "avif", "jpeg"] as const;
export type ImageFormat = (typeof imageFormats)[number];

/**
 * Why a try to make an image variant failed. Only `image` is final: the file is no image that can be decoded.
 *
 * - `time`: the decoder used more time than it may
 * - `memory`: it needed more memory than it may
 * - `crashed`: it ended without an answer
 * - `storage`: something other than the decoder failed, such as storage
 */
export const variantFailures = ["image", "time", "memory", "crashed", "storage"] as const;
export type VariantFailure = (typeof variantFailures)[number];

export const sortOrders = ["asc", "desc"] as const;
export type SortOrder = (typeof sortOrders)[number];

/**
 * A file's state as the dashboard shows it. Unlike the status of the API, it depends on the time.
 *
 * - `stored`: the file is in storage
 * - `uploading`: the bytes can still arrive, because the upload URL is valid
 * - `unfinished`: the upload URL has expired, and the bytes did not arrive
 * - `missing`: the file was stored, and its object has disappeared from storage
 * - `trashed`: the file was deleted, and can be restored until it is removed from the trash. Lists contain it only if they ask for it
 */
export const fileStates = ["stored", "uploading", "unfinished", "missing", "trashed"] as const;
export type FileState = (typeof fileStates)[number];

/** The states in a list that is not asked for any. */
export const listedFileStates = [
  "stored",
  "uploading",
  "unfinished",
  "missing",
] as const satisfies FileState[];

/** The periods of the usage pages, in days. The last day is today. */
export const overviewDays = [7, 30, 90] as const;
export type OverviewDays = (typeof overviewDays)[number];

/** The periods of the health page's requests, in hours. */
export const requestPeriods = [1, 6, 24] as const;
export type RequestPeriod = (typeof requestPeriods)[number];

/**
 * The tenant of the files that operators upload on the dashboard. It appears in every list and has a quota like any
 * other tenant. No product is expected to use this name for a user.
 */
export const tryItTenantId = "stowage-dashboard";

/** A list shows larger images as an icon, because the browser loads the whole image. */
export const thumbnailMaxBytes = 1_000_000;
