import type { AuditAction, Role, ScanSetting } from "@stowage/operator-schemas";
import { formatBytes, formatCount } from "./format.js";
import { browserName } from "./browser-name.js";
import { shell } from "./shell-texts.js";

/** Texts of the audit log. */
export const audit = {
  title: "Audit log",
  hint: "Who changed what in this project, when and from where. Entries cannot be changed or deleted here.",
  list: "Audit log entries",
  none: "No entries yet",
  noneHint: "Changes to the project, its API key, members, quotas and files are recorded here.",
  ownersOnly: "Only owners of the project can read its audit log.",
  at: "Time",
  operator: "Person",
  action: "Action",
  origin: "IP address",
  noIpAddress: "Command line",
  search: "Search by file, tenant or email",
  anyAction: "Any action",
  anyPerson: "Any person",
  formerMember: "A former member",
} as const;

/** The actions to filter by: those in a project. */
export const actionNames = {
  "file.deleted": "Deleted a file",
  "file.trashed": "Moved a file to the trash",
  "file.restored": "Restored a file",
  "file.held": "Put a file on hold",
  "file.released": "Released a file",
  "file.updated": "Renamed or moved a file, or changed its metadata",
  "file.quarantine_released": "Released a file from quarantine",
  "file.variants_retried": "Had the images of a file made again",
  "file.made_public": "Made a file public",
  "file.made_private": "Made a file private",
  "folder.moved": "Moved a folder",
  "folder.deleted": "Deleted a folder",
  "link.created": "Created a share link",
  "link.revoked": "Revoked a share link",
  "file.upload_discarded": "Discarded an upload",
  "file.upload_requested": "Requested a test upload",
  "tenant.quota_changed": "Changed a quota",
  "tenant.limits_changed": "Changed the limits of a tenant",
  "tenant.deleted": "Deleted a tenant",
  "tenant.exported": "Exported a tenant",
  "plan.created": "Added a plan",
  "plan.changed": "Changed a plan",
  "plan.deleted": "Deleted a plan",
  "preset.created": "Added an image preset",
  "preset.changed": "Changed an image preset",
  "preset.deleted": "Deleted an image preset",
  "webhook.created": "Added a webhook endpoint",
  "webhook.changed": "Changed a webhook endpoint",
  "webhook.enabled": "Enabled a webhook endpoint",
  "webhook.disabled": "Disabled a webhook endpoint",
  "webhook.secret_rotated": "Rotated a webhook secret",
  "webhook.deleted": "Deleted a webhook endpoint",
  "webhook.tested": "Sent a test webhook",
  "webhook.redelivered": "Sent webhooks again",
  "key.regenerated": "Regenerated the API key",
  "project.settings_changed": "Changed the settings",
  "project.storage_changed": "Moved to another storage",
  "project.files_imported": "Imported files",
  "project.files_exported": "Exported the files",
  "project.rescanned": "Had the files scanned again",
  "project.variants_retried": "Had failed images made again",
  "project.renamed": "Renamed the project",
  "project.created": "Created the project",
  "member.invited": "Invited a person",
  "member.invitation_revoked": "Revoked an invitation",
  "member.joined": "Joined",
  "member.role_changed": "Changed a role",
  "member.removed": "Removed a member",
} satisfies Partial<Record<AuditAction, string>>;

export type AuditDetails = Record<string, string | number | boolean | null>;

/** Describes an audit log entry. Returns the action's name for actions of a newer version of the service. */
export function auditSentence(action: string, details: AuditDetails): string {
  const sentence = (sentences as Record<string, (details: AuditDetails) => string>)[action];
  return sentence ? sentence(details) : action.replace(/[._]/g, " ");
}

/** One sentence per action, without the person as its subject. */
const sentences = {
  "installation.set_up": () => "Set up Stowage",
  "operator.signed_in": ({ by }) => (by === "oidc" ? "Signed in with the sign-in service" : "Signed in"),
  "operator.sign_in_refused": ({ step, reason }) => `Sign-in rejected: ${refusedStep(step, reason)}`,
  "operator.oidc_connected": ({ issuer }) => `Connected the account with ${issuer ?? "the sign-in service"}`,
  "operator.oidc_disconnected": () => "Disconnected the account from the sign-in service",
  "operator.password_exception_granted": () => "Got the right to use a password while passwords are off",
  "operator.password_exception_withdrawn": () => "Lost the right to use a password while passwords are off",
  "operator.signed_out": () => "Signed out",
  "operator.password_accepted": () => "Entered the correct password and was asked for a code",
  "operator.password_changed": () => "Changed their password",
  "operator.password_reset_offered": () => "Got a link to reset their password",
  "operator.password_reset": () => "Reset their password with a link",
  "operator.two_factor_enabled": () => "Turned on two-step sign-in",
  "operator.two_factor_disabled": () => "Turned off two-step sign-in",
  "operator.session_ended": ({ userAgent }) =>
    `Ended a session${userAgent ? `: ${browserName(String(userAgent))}` : ""}`,
  "operator.sessions_ended": ({ count, email }) =>
    `Ended ${count === 1 ? "1 session" : `${formatCount(Number(count))} sessions`}${email ? ` of ${email}` : ""}`,
  "operator.project_creation_granted": ({ email }) => `Allowed ${email} to create projects`,
  "operator.project_creation_withdrawn": ({ email }) => `No longer allows ${email} to create projects`,
  "project.created": ({ name, storage }) =>
    `Created the project ${quoted(name)}${storage ? ` in the storage ${quoted(storage)}` : ""}`,
  "project.renamed": ({ name_before, name }) =>
    `Renamed the project from ${quoted(name_before)} to ${quoted(name)}`,
  "project.settings_changed": (details) => {
    const changes = changedSettings(details);
    return changes.length === 0 ? "Saved the settings without changes" : `Changed ${changes.join(", and ")}`;
  },
  "project.storage_changed": ({ storage_before, storage }) =>
    `Moved the files from the storage ${quoted(storage_before)} to ${quoted(storage)}`,
  "project.files_imported": ({ source, files }) => `Began to import ${files} files of ${quoted(source)}`,
  "project.files_exported": ({ target }) => `Began to export the files to ${quoted(target)}`,
  "project.rescanned": ({ block }) =>
    `Had the files scanned again${block === true ? ", and blocked their downloads until then" : ""}`,
  "project.variants_retried": ({ includeImpossible }) =>
    `Had the failed image variants made again${includeImpossible === true ? ", also those of files that were no images" : ""}`,
  "project.deleted": ({ name }) => `Deleted the project ${quoted(name)}`,
  "key.regenerated": ({ old_key_last4 }) => `Regenerated the API key; the old key ended in ${old_key_last4}`,
  "tenant.quota_changed": ({ tenantId, quotaBytes_before, quotaBytes }) =>
    `Changed the quota of tenant ${quoted(tenantId)} ${fromTo(tenantQuota, quotaBytes_before, quotaBytes)}`,
  "tenant.limits_changed": ({ tenantId, ...details }) =>
    `For tenant ${quoted(tenantId)}: changed ${changesOf(tenantLimits, details).join(", and ") || "nothing"}`,
  "plan.created": ({ name }) => `Added the plan ${name}`,
  "plan.changed": ({ name }) => `Changed the plan ${name}`,
  "plan.deleted": ({ name }) => `Deleted the plan ${name}`,
  "tenant.deleted": ({ tenantId }) => `Deleted the tenant ${quoted(tenantId)} and all its files`,
  "tenant.exported": ({ tenantId }) => `Exported the files of tenant ${quoted(tenantId)}`,
  "preset.created": ({ name }) => `Added the image preset ${name}`,
  "preset.changed": ({ name }) => `Changed the image preset ${name}`,
  "preset.deleted": ({ name }) => `Deleted the image preset ${name}`,
  "webhook.created": ({ url, events }) => `Added the webhook endpoint ${url} for ${events}`,
  "webhook.changed": ({ url_before, url, events_before, events }) =>
    url_before === url
      ? `Changed the webhook endpoint ${url}${events_before === events ? "" : `: it gets ${events}`}`
      : `Changed the webhook endpoint from ${url_before} to ${url}`,
  "webhook.enabled": ({ url }) => `Enabled the webhook endpoint ${url}`,
  "webhook.disabled": ({ url, reason }) => {
    if (reason === "gone") return `Disabled the webhook endpoint ${url}, because it answered 410`;
    if (reason === "failing") return `Disabled the webhook endpoint ${url}, because it failed for five days`;
    return `Disabled the webhook endpoint ${url}`;
  },
  "webhook.secret_rotated": ({ url }) => `Rotated the secret of the webhook endpoint ${url}`,
  "webhook.deleted": ({ url }) => `Deleted the webhook endpoint ${url}`,
  "webhook.tested": () => "Sent a test webhook",
  "webhook.redelivered": ({ since, events }) =>
    since === undefined ? "Sent a webhook again" : `Sent ${formatCount(Number(events))} webhooks again`,
  "member.invited": ({ email, role }) => `Invited ${email} as ${roleName(role)}`,
  "member.invitation_revoked": ({ email, invitedBy }) =>
    `Revoked the invitation for ${email}${invitedBy === undefined ? "" : `, which ${invitedBy} had sent`}`,
  "member.joined": ({ role }) => `Joined as ${roleName(role)}`,
  "member.role_changed": ({ email, role_before, role }) =>
    `Changed the role of ${email} ${fromTo(roleName, role_before, role)}`,
  "member.removed": ({ email }) => `Removed ${email}`,
  "file.upload_requested": ({ filename, size }) =>
    `Requested a test upload of ${quoted(filename)}${typeof size === "number" ? ` (${formatBytes(size)})` : ""}`,
  "file.deleted": ({ filename, tenantId, size }) => `Deleted the file ${fileOf(filename, tenantId, size)}`,
  "file.trashed": ({ filename, tenantId, size }) =>
    `Moved the file ${fileOf(filename, tenantId, size)} to the trash`,
  "file.restored": ({ filename, tenantId, size }) =>
    `Restored the file ${fileOf(filename, tenantId, size)} from the trash`,
  "file.held": ({ filename, tenantId, size }) => `Put the file ${fileOf(filename, tenantId, size)} on hold`,
  "file.released": ({ filename, tenantId, size }) =>
    `Released the file ${fileOf(filename, tenantId, size)} from its hold`,
  "file.updated": ({ filename_before, filename, tenantId, size, folderChanged }) =>
    filename_before === filename
      ? `${folderChanged === true ? "Moved" : "Changed the metadata of"} the file ${fileOf(filename, tenantId, size)}`
      : `Renamed the file ${fileOf(filename_before, tenantId, size)} to ${quoted(filename)}`,
  "file.made_public": ({ filename, tenantId, size }) =>
    `Made the file ${fileOf(filename, tenantId, size)} public`,
  "file.made_private": ({ filename, tenantId, size }) =>
    `Made the file ${fileOf(filename, tenantId, size)} private`,
  "folder.moved": ({ folder, to, tenantId }) =>
    `Moved the folder ${quoted(folder)} of tenant ${quoted(tenantId)} to ${to === "" ? "the root" : quoted(to)}`,
  "folder.deleted": ({ folder, tenantId }) =>
    `Deleted the files in the folder ${quoted(folder)} of tenant ${quoted(tenantId)}`,
  "link.created": ({ path, hasPassword }) =>
    `Created a share link${hasPassword === true ? " with a password" : ""} to the file ${quoted(path)}`,
  "link.revoked": ({ path, downloads }) =>
    `Revoked a share link to the file ${quoted(path)} after ${formatCount(Number(downloads))} downloads`,
  "file.upload_discarded": ({ filename, tenantId, reservedBytes }) =>
    `Discarded the upload ${fileOf(filename, tenantId, reservedBytes)}`,
  "file.variants_retried": ({ filename, tenantId, size }) =>
    `Had the image variants of the file ${fileOf(filename, tenantId, size)} made again`,
  "file.quarantine_released": ({ filename, tenantId, size, signature }) =>
    `Released the file ${fileOf(filename, tenantId, size)} from quarantine${typeof signature === "string" ? `; the scan had found ${signature}` : ""}`,
} satisfies Record<AuditAction, (details: AuditDetails) => string>;

type Value = AuditDetails[string] | undefined;

interface Setting {
  name: string;
  label: string;
  format: (value: Value) => string;
}

const tenantLimits: Setting[] = [
  { name: "plan", label: "the plan", format: (value) => (value === null ? "none" : String(value)) },
  { name: "quotaBytes", label: "the quota", format: tenantQuota },
  { name: "maxFiles", label: "the number of files", format: planLimit },
  { name: "maxOpenUploads", label: "the number of open uploads", format: planLimit },
  { name: "uploadsPerMinute", label: "the uploads per minute", format: planLimit },
];

function planLimit(value: Value): string {
  return value === null ? "the default" : formatCount(Number(value));
}

const settings: Setting[] = [
  { name: "defaultQuotaBytes", label: "the default quota", format: projectQuota },
  { name: "defaultMaxFiles", label: "the default number of files", format: planLimit },
  { name: "defaultMaxOpenUploads", label: "the default number of open uploads", format: planLimit },
  { name: "defaultUploadsPerMinute", label: "the default uploads per minute", format: planLimit },
  { name: "maxFileBytes", label: "the maximum file size", format: size },
  { name: "requireSize", label: "declaring the file size", format: required },
  { name: "allowOverQuota", label: "files over the quota", format: allowed },
  { name: "trashDays", label: "the time in the trash", format: days },
  { name: "maxVersions", label: "the number of versions", format: (value) => String(value) },
  { name: "scan", label: "virus scanning", format: scanner },
  { name: "allowUnscannable", label: "downloads of files that cannot be scanned", format: allowed },
];

const scanners: Record<ScanSetting, string> = {
  off: "off",
  clamav: "ClamAV",
  external: "your own scanner",
};

function scanner(value: Value): string {
  return scanners[value as ScanSetting] ?? String(value);
}

function allowed(value: Value): string {
  return value === true ? "allowed" : "not allowed";
}

/** Describes each changed setting. A form sends all settings, so unchanged ones are left out. */
function changedSettings(details: AuditDetails): string[] {
  return changesOf(settings, details);
}

function changesOf(all: Setting[], details: AuditDetails): string[] {
  return all
    .map((setting) => ({ ...setting, before: details[`${setting.name}_before`], now: details[setting.name] }))
    .filter(({ before, now }) => now !== undefined && now !== before)
    .map(({ label, format, before, now }) => `${label} ${fromTo(format, before, now)}`);
}

function refusedStep(step: Value, reason: Value): string {
  if (step === "oidc") return `sign-in service, ${String(reason).replaceAll("_", " ")}`;
  return step === "code" ? "wrong code" : "wrong password";
}

function fromTo(format: (value: Value) => string, before: Value, now: Value): string {
  return `from ${format(before)} to ${format(now)}`;
}

function quoted(text: Value): string {
  return `“${text ?? ""}”`;
}

function fileOf(filename: Value, tenantId: Value, bytes: Value): string {
  const ofSize = typeof bytes === "number" && bytes > 0 ? ` (${formatBytes(bytes)})` : "";
  return `${quoted(filename)} of tenant ${quoted(tenantId)}${ofSize}`;
}

function roleName(role: Value): string {
  return shell.roles[role as Role]?.toLowerCase() ?? String(role);
}

function size(bytes: Value): string {
  return formatBytes(Number(bytes));
}

function tenantQuota(bytes: Value): string {
  return typeof bytes === "number" ? formatBytes(bytes) : "the default";
}

function projectQuota(bytes: Value): string {
  return typeof bytes === "number" ? formatBytes(bytes) : "the service default";
}

function days(count: Value): string {
  return count === 1 ? "1 day" : `${formatCount(Number(count ?? 0))} days`;
}

function required(isRequired: Value): string {
  return isRequired === true ? "required" : "optional";
}
