import { expect, test } from "vitest";
import { createRefusalReporter, type RefusalReport } from "./report-refusals.js";

const call = { connections: 4, running: 4, waiting: 12, tookMs: 2500, blockedMs: 0 };

test("the first refusal of each reason is reported at once, and the next ones together after ten seconds", () => {
  const reports: Pick<RefusalReport, "reason" | "calls">[] = [];
  let now = 0;
  const report = createRefusalReporter(
    ({ reason, calls }) => reports.push({ reason, calls }),
    () => now,
  );
  for (const reason of ["deadline", "deadline", "queue_full", "deadline"]) report(reason, call);
  expect(reports).toEqual([
    { reason: "deadline", calls: 1 },
    { reason: "queue_full", calls: 1 },
  ]);
  now = 10_000;
  report("deadline", call);
  expect(reports.slice(2)).toEqual([{ reason: "deadline", calls: 3 }]);
});
