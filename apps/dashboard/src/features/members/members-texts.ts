import type { Role } from "@stowage/operator-schemas";

/** Texts of the page of a project's members. */
export const members = {
  title: "Members",
  hint: "People who can access this project, and their roles.",
  ownersOnly: "Only owners can change the members of the project.",
  name: "Name",
  email: "Email address",
  role: "Role",
  roleOf: (name: string) => `Role of ${name}`,
  since: "Joined",
  you: "you",
  actions: "Actions",
  roles: { viewer: "Viewer", member: "Member", owner: "Owner" } satisfies Record<Role, string>,
  rights: {
    viewer: "Can view files, tenants and usage.",
    member: "Can also upload test files, change quotas, delete files, and test and redeliver webhooks.",
    owner: "Can also change settings, the API key, webhooks and members, and view the audit log.",
  } satisfies Record<Role, string>,
  lastOwner: "A project needs at least one owner. Make another member an owner first.",
  remove: "Remove",
  removeOne: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeHint:
    "They lose access to this project immediately, and the open invitations that they sent are revoked. They keep their account and other projects.",
  leave: "Leave",
  leaveTitle: "Leave this project?",
  leaveHint:
    "You lose access immediately, and the open invitations that you sent are revoked. You need a new invitation to return.",
  roleChanged: (name: string, role: string) => `The role of ${name} is now ${role.toLowerCase()}.`,
  removed: (name: string) => `${name} was removed from the project.`,
  none: "No members yet",
  noneHint:
    "This project was created on the command line. As an administrator, you have access until you invite an owner.",

  invitations: "Open invitations",
  invite: "Invite member",
  inviteTitle: "Invite a member",
  createLink: "Create link",
  linkTitle: "Invitation link",
  link: "Link",
  linkHint: (email: string) =>
    `Send this link to ${email}. Stowage does not send email. The link works once, expires after a week and is not shown again.`,
  done: "Done",
  invitedBy: "Invited by",
  expires: "Expires",
  revoke: "Revoke",
  revokeOne: (email: string) => `Revoke the invitation for ${email}`,
  revoked: (email: string) => `The invitation for ${email} was revoked.`,
} as const;
