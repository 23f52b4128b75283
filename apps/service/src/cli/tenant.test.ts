import { StowageError } from "@stowage/schemas";
import { describe, expect, test } from "vitest";
import { deleteInSteps } from "./tenant.js";

/** Steps of a deletion that answers these counts, and the last one again and again. */
function stepsOf(...counts: (number | "not found")[]) {
  let calls = 0;
  const step = async () => {
    const count = counts[Math.min(calls++, counts.length - 1)]!;
    if (count === "not found") throw new StowageError("tenant_not_found");
    return { tenantId: "t", remainingFiles: count };
  };
  return { step, calls: () => calls };
}

describe("the steps that delete a tenant", () => {
  test("go on while more files are left than are counted, and end when none is", async () => {
    const above = Array.from({ length: 101 }, () => 10_000);
    const { step, calls } = stepsOf(...above, 9800, 200, 1, 0);
    expect(await deleteInSteps(step)).toBe(0);
    expect(calls()).toBe(105);
  });

  test.each([
    [9999, 21],
    [10_000, 501],
  ])("end with %i files left if %i calls remove none", async (left, expected) => {
    const { step, calls } = stepsOf(left);
    expect(await deleteInSteps(step)).toBe(left);
    expect(calls()).toBe(expected);
  });

  test("end when the service has deleted the tenant meanwhile, and refuse an unknown tenant", async () => {
    expect(await deleteInSteps(stepsOf(5, "not found").step)).toBe(0);
    await expect(deleteInSteps(stepsOf("not found").step)).rejects.toThrow("Tenant not found");
  });
});
