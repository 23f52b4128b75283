import { expect, test } from "vitest";
import { effectiveQuota } from "./tenant-record.js";

test.each([
  [{ tenant: null, plan: 4, project: 2, service: 3 }, 4, "plan"],
  [{ tenant: 1, plan: 4, project: 2, service: 3 }, 1, "tenant"],
  [{ tenant: 1, plan: null, project: 2, service: 3 }, 1, "tenant"],
  [{ tenant: 0, plan: null, project: 2, service: 3 }, 0, "tenant"],
  [{ tenant: null, plan: null, project: 2, service: 3 }, 2, "project"],
  [{ tenant: null, plan: null, project: 0, service: 3 }, 0, "project"],
  [{ tenant: null, plan: null, project: null, service: 3 }, 3, "service"],
  [{ tenant: null, plan: null, project: null, service: null }, null, null],
] as const)("of the quotas %j, %s applies, set by the %s", (quotas, quotaBytes, quotaSource) => {
  expect(effectiveQuota(quotas)).toEqual({ quotaBytes, quotaSource });
});
