import { formatCount } from "../../components/format.js";

/** Texts about share links. */
export const shareLinks = {
  title: "Share links",
  hint: "Everyone who has a link can download the file, without signing in.",
  none: "This file has no share links.",
  created: "Created",
  state: "State",
  downloads: "Downloads",
  ends: "Ends",
  ended: "Ended",
  actions: "Actions",
  states: { works: "Works", ended: "Ended", usedUp: "Used up", paused: "Paused" },
  pausedHint: "Links do not work while the file is in the trash.",
  hasPassword: "With a password",
  downloadsOf: (done: number, max: number | null) =>
    max === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(max)}`,
  more: "Show more links",

  create: "Create a link",
  createTitle: "Create a share link",
  lifetimes: [
    { value: "3600", label: "After 1 hour" },
    { value: "86400", label: "After 1 day" },
    { value: "604800", label: "After 7 days" },
    { value: "2592000", label: "After 30 days" },
    { value: "31536000", label: "After 1 year" },
    { value: "", label: "Never" },
  ],
  maxDownloads: "Number of downloads",
  maxDownloadsHint: "The link ends after so many downloads. Empty: no limit.",
  wrongMaxDownloads: "Enter a whole number from 1 to 1,000,000,000.",
  password: "Password",
  passwordHint: "At least 8 characters. Send it by another way than the link. Empty: no password.",
  wrongPassword: "The password must have 8 to 128 characters.",
  newLink: {
    shownOnce: "This link is shown only once",
    shownOnceHint:
      "Copy it now. Stowage keeps only its hash. A lost link can be revoked, and another one created.",
    label: "Link",
    copy: "link",
    saved: "I have copied the link",
  },

  revoke: "Revoke",
  revokeOf: (at: string) => `Revoke the link of ${at}`,
  revokeTitle: "Revoke the link?",
  revokeHint: "It stops working at once. A download that has begun continues. This cannot be undone.",
  revoked: "The link was revoked.",
} as const;
