import type { OidcRefusal } from "@stowage/operator-schemas";

/** Texts of the sign-in with OpenID Connect. */
export const oidc = {
  continueWith: (name: string) => `Continue with ${name}`,
  or: "or",
  withPassword: "Use a password",
  passwordException: "Passwords work only for accounts with an exception.",
  joinWith: "Your account at this service must have the invited email address.",
  refused: {
    cancelled: "You did not allow the sign-in. Try again.",
    expired: "The sign-in took too long or was used before. Try again in this browser.",
    provider_unreachable:
      "The sign-in service of your organization does not answer. Try again in a few minutes.",
    provider_refused:
      "The sign-in service of your organization refused the sign-in. Tell the administrator of this service.",
    answer_invalid:
      "The answer of the sign-in service failed a security check. Try again. If it happens again, tell the administrator of this service.",
    email_missing: "The sign-in service sent no email address. Tell the administrator of this service.",
    email_unverified:
      "Your email address is not verified at the sign-in service. Verify it there, then try again.",
    not_invited:
      "There is no account for you here. Ask an owner of a project for an invitation, and open its link.",
    not_connected:
      "An account with your email address exists, but it is not connected. Sign in with its password, then connect it under Account.",
    other_address:
      "The invitation is for another email address. Open its link again and use the other account.",
    link_invalid: "The link is no longer valid. Ask for a new one.",
    second_factor_missing:
      "This service requires a second factor, and the sign-in service did not confirm one. Set one up there, then try again.",
    already_connected: "One of the two accounts is already connected. Disconnect it first.",
    too_many_requests: "Too many sign-ins from your network. Wait a minute, then try again.",
    unavailable: "The service cannot reach its database. Try again in a few minutes.",
  } satisfies Record<OidcRefusal, string>,

  title: "Sign-in service",
  hint: (name: string) => `Sign in with your account at ${name}.`,
  connected: "Connected",
  notConnected: "Not connected",
  connect: "Connect",
  connectHint: (name: string) =>
    `You will continue at ${name}, and then sign in with it instead of your password.`,
  disconnect: "Disconnect",
  disconnectTitle: "Disconnect this account",
  disconnectHint: "You will sign in with your password again. All other sessions of your account end.",
  disconnected: "Your account is no longer connected.",
  onlyWay: "It is the only way to sign in to this account.",
} as const;
