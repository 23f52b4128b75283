import { auditActions } from "@stowage/schemas/dashboard";
import { expect, it } from "vitest";
import { auditSentence } from "./audit.js";

it.each(auditActions)("has a sentence for %s", (action) => {
  const sentence = auditSentence(action, {});
  expect(sentence).toMatch(/^[A-Z]/);
  expect(sentence).not.toContain("_");
});

it.each([
  [
    "project.settings_changed",
    {
      defaultQuotaBytes_before: null,
      defaultQuotaBytes: 5 * 1024 ** 3,
      maxFileBytes_before: 1024,
      maxFileBytes: 1024,
      requireSize_before: false,
      requireSize: true,
    },
    "Changed the default quota from the default to 5 GB, and the size of uploads from optional to required",
  ],
  [
    "tenant.quota_changed",
    { tenantId: "acme", quotaBytes_before: 1024, quotaBytes: null },
    "Changed the quota of tenant “acme” from 1 kB to the default",
  ],
  [
    "member.role_changed",
    { email: "ada@example.com", role_before: "viewer", role: "owner" },
    "Changed the role of ada@example.com from viewer to owner",
  ],
  ["file.deleted", { count: 1200, paths: "a\nb" }, "Deleted 1,200 files"],
  ["something.of_tomorrow", {}, "something of tomorrow"],
])("says what was changed to what: %s", (action, details, sentence) => {
  expect(auditSentence(action, details)).toBe(sentence);
});
