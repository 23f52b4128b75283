import { expect, test } from "vitest";
import { effectiveQuota } from "./tenant-record.js";

test.each([
  [{ tenant: 1, project: 2, service: 3 }, 1, "tenant"],
  [{ tenant: 0, project: 2, service: 3 }, 0, "tenant"],
  [{ tenant: null, project: 2, service: 3 }, 2, "project"],
  [{ tenant: null, project: 0, service: 3 }, 0, "project"],
  [{ tenant: null, project: null, service: 3 }, 3, "service"],
  [{ tenant: null, project: null, service: null }, null, null],
] as const)("of the quotas %j, %s applies, set by the %s", (quotas, quotaBytes, quotaSource) => {
  expect(effectiveQuota(quotas)).toEqual({ quotaBytes, quotaSource });
});
