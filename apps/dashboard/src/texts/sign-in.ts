import type { Role } from "@stowage/schemas/dashboard";

/** The pages for people who are not signed in yet. */
export const signIn = {
  title: "Sign in",
  name: "Your name",
  email: "E-mail address",
  password: "Password",
  newPassword: "New password",
  passwordRule: "At least 12 characters. A few words are easier to keep than signs.",
  forgotten: "Forgot your password? Ask whoever runs this service for a new link.",
  notSetUp: "Nobody can sign in yet. Open the link that the service printed when it started.",
  code: "Code",
  codeHint: "The six digits that your authenticator app shows.",
  backupCode: "Backup code",
  backupCodeHint: "One of those you kept when you set up the app. Each works once.",
  toBackupCode: "Use a backup code",
  toApp: "Use the authenticator app",
  codeTitle: "Second step",
  verify: "Continue",
  startAgain: "Start again",
  tooLate: "That took too long. Enter your password again.",
  tooManyCodes: "Too many codes were wrong. Enter your password again.",
  linkIncomplete: "This address is not whole. Open the link again as it was given to you.",
  toSignIn: "To sign-in",

  setupTitle: "Set up Stowage",
  setupHint: "You become the first owner. Everybody else comes by invitation.",
  setupAction: "Create account",
  setupDone: "Stowage is set up already.",

  invitationTitle: "Invitation",
  invited: (by: string, project: string, role: string) => `${by} invites you to ${project} as ${role}.`,
  roles: { viewer: "a viewer", member: "a member", owner: "an owner" } satisfies Record<Role, string>,
  join: "Join",
  joinNew: "Create account and join",
  signInToJoin: "You have an account already. Sign in to join.",
  signInAndJoin: "Sign in and join",
  otherAccount: (invited: string, signedIn: string) =>
    `The invitation is for ${invited}, and you are signed in as ${signedIn}.`,
  signOutFirst: "Sign out and go on",
  invitationOver: "It was used, taken back, or is older than a week. Ask whoever sent it for another one.",

  resetTitle: "New password",
  resetHint: (email: string) => `For ${email}. You are signed out everywhere else.`,
  resetAction: "Set password",
  resetDone: "Your password is changed.",
} as const;
