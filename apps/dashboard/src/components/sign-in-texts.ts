import type { Role } from "@stowage/operator-schemas";

/** Texts of the pages that need no session: sign-in, set-up, invitation and password reset. */
export const signIn = {
  title: "Sign in",
  name: "Name",
  email: "Email address",
  password: "Password",
  newPassword: "New password",
  passwordRule: "At least 12 characters. Several words are easy to remember.",
  forgotten: "Forgot your password? Ask the administrator of this service for a reset link.",
  notSetUp:
    "Stowage is not set up yet. Run “stowage operator setup-link” on the server, and open the link that it prints.",
  code: "Code",
  codeHint: "The 6-digit code that your authenticator app shows.",
  backupCode: "Backup code",
  backupCodeHint: "One of your saved backup codes. Each code works once.",
  toBackupCode: "Use a backup code",
  toApp: "Use the authenticator app",
  verify: "Continue",
  startOver: "Start over",
  signInExpired: "The sign-in has expired. Enter your password again.",
  tooManyCodes: "Too many wrong codes. Enter your password again.",
  linkIncomplete: "This link is incomplete. Copy the whole link and open it again.",
  toSignIn: "Go to sign-in",

  setupTitle: "Set up Stowage",
  setupHint: "Create the administrator account. Other people join by invitation.",
  setupAction: "Create account",
  setupDone: "Stowage is already set up.",

  invitationTitle: "Invitation",
  invited: (by: string, project: string, role: string) => `${by} invited you to join ${project} as ${role}.`,
  roles: { viewer: "a viewer", member: "a member", owner: "an owner" } satisfies Record<Role, string>,
  join: "Join project",
  joinNew: "Create account and join",
  signInToJoin: "You already have an account. Sign in to join.",
  signInAndJoin: "Sign in and join",
  otherAccount: (invited: string, signedIn: string) =>
    `This invitation is for ${invited}, but you are signed in as ${signedIn}.`,
  setUpFirst: "This service requires two-step sign-in. Set it up, then open the link again.",
  setUp: "Set up two-step sign-in",
  signOutFirst: "Sign out and continue",
  invitationInvalid:
    "It was used or revoked, or it expired after a week. Ask the sender for a new invitation.",

  resetTitle: "New password",
  resetHint: (email: string) => `For ${email}. All existing sessions of this account end.`,
  resetAction: "Set password",
  resetDone: "Your password was changed.",
} as const;
