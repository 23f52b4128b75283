import * as z from "zod";
import { limits } from "../limits.js";
import { searchText } from "../members.js";
import { roles } from "./roles.js";

/*
 * What the dashboard's calls take. Its pages judge forms by the same schemas, so each rule says its own sentence.
 */

const text = (what: string, longest: number) =>
  z
    .string({ error: `${what} is required` })
    .trim()
    .min(1, { error: `${what} is required` })
    .max(longest, { error: `${what} must have at most ${longest} characters` })
    // The audit log keeps it in JSON, where PostgreSQL takes no half of a character.
    .refine((given) => given.isWellFormed(), { error: `${what} must be valid Unicode` })
    // Nor those that turn what stands around them: a name stands in the sentence that warns of deleting what it names.
    .regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u, {
      error: `${what} must not have control characters`,
    });

/** @param called `most` as people say it */
export const bytes = (what: string, most: number, called: string) =>
  z
    .number({ error: `${what} must be a number of bytes` })
    .int({ error: `${what} must be a whole number of bytes` })
    .min(0, { error: `${what} must be at least 0 bytes` })
    .max(most, { error: `${what} must be at most ${called}` });

const email = z
  .string({ error: "email is required" })
  .trim()
  .toLowerCase()
  .max(254, { error: "email must have at most 254 characters" })
  .pipe(z.email({ error: "email must be an e-mail address" }));

/** Long rather than odd (NIST SP 800-63B, 3.1.1.2). */
export const password = z
  .string({ error: "password is required" })
  .min(12, { error: "password must have at least 12 characters" })
  .max(128, { error: "password must have at most 128 characters" });

const token = z.string({ error: "token is required" }).min(1, { error: "token is required" }).max(100);
const role = z.enum(roles, { error: `role must be one of ${roles.join(", ")}` });
export const cursor = z.string().max(200).optional();
export const limit = z.int().min(1).max(limits.maxPageSize).default(limits.pageSize);

export const projectName = text("name", 100);
const defaultQuotaBytes = bytes("default quota", Number.MAX_SAFE_INTEGER, "8,192 TB").nullable();
const maxFileBytes = bytes("maximum file size", limits.fileSizeBytes, "5 GB");

/** A name that the service gave. PostgreSQL takes no NUL, so none comes that far. */
const given = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}]*$/u);

/** Part of every call about one project. */
export const projectInput = z.object({ projectRef: given });

export const finishSetupInput = z.object({ token, name: text("name", 100), email, password });

export const projectSorts = ["name", "created_at"] as const;
/** Newest first, or by name from A to Z: each unless `order` says otherwise. */
export const projectsListInput = z.object({
  q: searchText.optional(),
  sort: z.enum(projectSorts).default("created_at"),
  order: z.enum(["asc", "desc"]).optional(),
  /** A project's name can be a part of it. */
  cursor: z.string().max(1000).optional(),
  limit,
});
export const createProjectInput = z.object({
  name: projectName,
  defaultQuotaBytes: defaultQuotaBytes.default(null),
  maxFileBytes: maxFileBytes.default(limits.fileSizeBytes),
  requireSize: z.boolean().default(false),
});
export const renameProjectInput = z.object({ name: projectName });
export const settingsInput = z
  .object({ defaultQuotaBytes, maxFileBytes, requireSize: z.boolean() })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: "Say what to change",
  });
/** The project's name, typed by whoever is about to do what cannot be undone. */
export const confirmNameInput = z.object({ name: z.string({ error: "name is required" }) });

export const inviteInput = z.object({ email, role });
/** What stands behind the # of a link that works once. */
export const oneTimeLinkInput = z.object({ token });
export const resetPasswordInput = z.object({ token, password });
/** Name and password are for people who have no account yet. */
export const acceptInvitationInput = z.object({
  token,
  name: text("name", 100).optional(),
  password: password.optional(),
});
export const memberInput = z.object({ operatorId: given });
export const changeRoleInput = memberInput.extend({ role });
export const revokeInvitationInput = z.object({ invitationId: z.int().min(1) });

export const auditListInput = z.object({ cursor, limit });

export type FinishSetupInput = z.output<typeof finishSetupInput>;
export type ProjectsListInput = z.output<typeof projectsListInput>;
export type CreateProjectInput = z.output<typeof createProjectInput>;
export type SettingsInput = z.output<typeof settingsInput>;
export type InviteInput = z.output<typeof inviteInput>;
export type ResetPasswordInput = z.output<typeof resetPasswordInput>;
export type AcceptInvitationInput = z.output<typeof acceptInvitationInput>;
export type ChangeRoleInput = z.output<typeof changeRoleInput>;
export type AuditListInput = z.output<typeof auditListInput>;
