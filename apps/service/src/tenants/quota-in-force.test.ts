import { expect, test } from "vitest";
import { quotaInForce } from "./quota-in-force.js";

test.each([
  [{ tenant: 1, project: 2, service: 3 }, 1, "tenant"],
  [{ tenant: 0, project: 2, service: 3 }, 0, "tenant"],
  [{ tenant: null, project: 2, service: 3 }, 2, "project"],
  [{ tenant: null, project: 0, service: 3 }, 0, "project"],
  [{ tenant: null, project: null, service: 3 }, 3, "service"],
  [{ tenant: null, project: null, service: null }, null, null],
] as const)("of %j, %s is in force, by the %s", (quotas, quotaBytes, quotaSource) => {
  expect(quotaInForce(quotas)).toEqual({ quotaBytes, quotaSource });
});
