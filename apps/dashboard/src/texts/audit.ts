import type { AuditAction, Role } from "@stowage/schemas/dashboard";
import { formatBytes, formatCount } from "../components/format.js";
import { shell } from "./shell.js";

/** The audit log, and what its lines say. */
export const audit = {
  title: "Audit log",
  hint: "What was done in this project, by whom and from where. Lines cannot be changed or deleted here.",
  list: "What was done",
  none: "Nothing was done yet",
  noneHint: "Every change to the project, its key, its people and its files is written down here.",
  ownersOnly: "Only owners of the project can read its audit log.",
  at: "When",
  who: "Who",
  what: "What",
  from: "From",
  nowhere: "the service's own machine",
} as const;

export type AuditDetails = Record<string, string | number | boolean | null>;

/** What each act was, in a sentence without its subject. */
const sentences = {
  "installation.set_up": () => "Set up Stowage",
  "operator.signed_in": () => "Signed in",
  "operator.sign_in_refused": ({ step }) =>
    step === "code" ? "Sign-in refused: wrong code" : "Sign-in refused: wrong password",
  "operator.signed_out": () => "Signed out",
  "operator.password_accepted": () => "Gave the right password, and was asked for a code",
  "operator.password_changed": () => "Changed their password",
  "operator.password_reset_offered": () => "Was given a link to set another password",
  "operator.password_reset": () => "Set another password by a link",
  "operator.two_factor_enabled": () => "Turned two-step sign-in on",
  "operator.two_factor_disabled": () => "Turned two-step sign-in off",
  "project.created": ({ name }) => `Created the project ${quoted(name)}`,
  "project.renamed": ({ name_before, name }) =>
    `Renamed the project from ${quoted(name_before)} to ${quoted(name)}`,
  "project.settings_changed": (details) => {
    const changes = settingsChanged(details);
    return changes.length === 0 ? "Saved the settings as they were" : `Changed ${changes.join(", and ")}`;
  },
  "project.deleted": ({ name }) => `Deleted the project ${quoted(name)}`,
  "key.regenerated": ({ old_key_last4 }) => `Regenerated the API key; the old one ended in ${old_key_last4}`,
  "tenant.quota_changed": ({ tenantId, quotaBytes_before, quotaBytes }) =>
    `Changed the quota of tenant ${quoted(tenantId)} ${fromTo(quota, quotaBytes_before, quotaBytes)}`,
  "member.invited": ({ email, role }) => `Invited ${email} as ${roleName(role)}`,
  "member.invitation_revoked": ({ email }) => `Took back the invitation of ${email}`,
  "member.joined": ({ role }) => `Joined as ${roleName(role)}`,
  "member.role_changed": ({ email, role_before, role }) =>
    `Changed the role of ${email} ${fromTo(roleName, role_before, role)}`,
  "member.removed": ({ email }) => `Removed ${email}`,
  "file.upload_requested": ({ filename, size }) =>
    `Tried an upload of ${quoted(filename)}${typeof size === "number" ? ` (${formatBytes(size)})` : ""}`,
  "file.deleted": ({ count, path }) =>
    typeof path === "string" ? `Deleted the file ${path}` : `Deleted ${formatCount(Number(count))} files`,
} satisfies Record<AuditAction, (details: AuditDetails) => string>;

/** A line of the log as a sentence; an act of a newer version of the service is shown as it is called. */
export function auditSentence(action: string, details: AuditDetails): string {
  const say = (sentences as Record<string, (details: AuditDetails) => string>)[action];
  return say ? say(details) : action.replace(/[._]/g, " ");
}

type Value = AuditDetails[string] | undefined;

const quoted = (text: Value) => `“${text ?? ""}”`;
const fromTo = (say: (value: Value) => string, before: Value, now: Value) =>
  `from ${say(before)} to ${say(now)}`;
const roleName = (role: Value) => shell.roles[role as Role]?.toLowerCase() ?? String(role);
const size = (bytes: Value) => formatBytes(Number(bytes));
const quota = (bytes: Value) => (typeof bytes === "number" ? formatBytes(bytes) : "the default");
const required = (isRequired: Value) => (isRequired === true ? "required" : "optional");

const settings: { name: string; called: string; say: (value: Value) => string }[] = [
  { name: "defaultQuotaBytes", called: "the default quota", say: quota },
  { name: "maxFileBytes", called: "the maximum file size", say: size },
  { name: "requireSize", called: "the size of uploads", say: required },
];

/** Those that are not what they were: a form may send all of them. */
function settingsChanged(details: AuditDetails): string[] {
  return settings
    .map((setting) => ({ ...setting, before: details[`${setting.name}_before`], now: details[setting.name] }))
    .filter(({ before, now }) => now !== undefined && now !== before)
    .map(({ called, say, before, now }) => `${called} ${fromTo(say, before, now)}`);
}
