import { auditActions } from "@stowage/operator-schemas";
import { expect, test } from "vitest";
import { auditSentence } from "./audit-texts.js";

test.each(auditActions)("%s has a sentence", (action) => {
  const sentence = auditSentence(action, {});
  expect(sentence).toMatch(/^[A-Z]/);
  expect(sentence).not.toContain("_");
});

test.each([
  [
    "project.settings_changed",
    {
      defaultQuotaBytes_before: null,
      defaultQuotaBytes: 5_000_000_000,
      maxFileBytes_before: 1024,
      maxFileBytes: 1024,
      requireSize_before: false,
      requireSize: true,
    },
    "Changed the default quota from the service default to 5 GB, and declaring the file size from optional to required",
  ],
  [
    "project.settings_changed",
    { requireSize_before: true, requireSize: true },
    "Saved the settings without changes",
  ],
  [
    "tenant.quota_changed",
    { tenantId: "acme", quotaBytes_before: 1024, quotaBytes: null },
    "Changed the quota of tenant “acme” from 1 kB to the default",
  ],
  [
    "tenant.limits_changed",
    { tenantId: "acme", plan_before: null, plan: "pro", maxFiles_before: 5, maxFiles: null },
    "For tenant “acme”: changed the plan from none to pro, and the number of files from 5 to the default",
  ],
  [
    "member.role_changed",
    { email: "ada@example.com", role_before: "viewer", role: "owner" },
    "Changed the role of ada@example.com from viewer to owner",
  ],
  [
    "member.invitation_revoked",
    { email: "new@example.com", invitedBy: "ada@example.com" },
    "Revoked the invitation for new@example.com, which ada@example.com had sent",
  ],
  ["operator.sign_in_refused", { step: "code" }, "Sign-in rejected: wrong code"],
  [
    "operator.sign_in_refused",
    { step: "oidc", reason: "not_connected" },
    "Sign-in rejected: sign-in service, not connected",
  ],
  ["operator.session_ended", { userAgent: "curl/8", ipAddress: "192.0.2.1" }, "Ended a session: curl"],
  ["operator.sessions_ended", { count: 1 }, "Ended 1 session"],
  ["operator.sessions_ended", { count: 1, email: "ada@example.com" }, "Ended 1 session of ada@example.com"],
  ["operator.sessions_ended", { count: 1200 }, "Ended 1,200 sessions"],
  ["file.upload_requested", { filename: "a.txt", size: 2048 }, "Requested a test upload of “a.txt” (2 kB)"],
  [
    "file.deleted",
    { filename: "a.pdf", tenantId: "acme", path: "p/a.pdf", size: 2048 },
    "Deleted the file “a.pdf” of tenant “acme” (2 kB)",
  ],
  [
    "file.upload_discarded",
    { filename: "a.pdf", tenantId: "acme", path: "p/a.pdf", reservedBytes: 0 },
    "Discarded the upload “a.pdf” of tenant “acme”",
  ],
  ["something.of_tomorrow", {}, "something of tomorrow"],
])("%s describes its details", (action, details, sentence) => {
  expect(auditSentence(action, details)).toBe(sentence);
});
