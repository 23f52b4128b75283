import { searchText } from "@stowage/schemas";
import * as z from "zod";
import { localPath } from "./local-path.js";
import { email, identifier, limit, password, role, text, token } from "./fields.js";

/*
 * Inputs of the calls about operators: accounts, members of a project and their invitations.
 */

export const finishSetupInput = z.object({ token, name: text("name", 100), email, password });
export type FinishSetupInput = z.output<typeof finishSetupInput>;

export const oneTimeLinkInput = z.object({ token });

export const resetPasswordInput = z.object({ token, password });
export type ResetPasswordInput = z.output<typeof resetPasswordInput>;

/** Starts a sign-in with OpenID Connect. */
export const startOidcInput = z.object({
  /** The path to open afterwards. */
  to: z
    .string()
    .max(2000)
    .refine((path) => localPath(path) !== undefined)
    .optional(),
  /** A one-time link that creates the account. */
  link: z.object({ kind: z.enum(["invitation", "setup"]), token }).optional(),
});

/** Connects the caller's account with the OpenID Connect provider. */
export const connectOidcInput = z.object({ password: z.string().min(1).max(1000) });

export const sessionInput = z.object({ sessionId: identifier });

export const inviteInput = z.object({ email, role });
export type InviteInput = z.output<typeof inviteInput>;

/** Name and password are for people who do not have an account yet. */
export const acceptInvitationInput = z.object({
  token,
  name: text("name", 100).optional(),
  password: password.optional(),
});
export type AcceptInvitationInput = z.output<typeof acceptInvitationInput>;

export const revokeInvitationInput = z.object({ invitationId: z.int().min(1) });

export const memberInput = z.object({ operatorId: identifier });

export const changeRoleInput = memberInput.extend({ role });
export type ChangeRoleInput = z.output<typeof changeRoleInput>;

/** Sorted by e-mail address. */
export const operatorsListInput = z.object({
  /** Part of the name or the e-mail address. */
  q: searchText.optional(),
  /** Longer than other cursors: it contains an e-mail address. */
  cursor: z.string().max(500).optional(),
  limit,
});
export type OperatorsListInput = z.output<typeof operatorsListInput>;

export const setProjectGrantInput = memberInput.extend({ isGranted: z.boolean() });
export type SetProjectGrantInput = z.output<typeof setProjectGrantInput>;
