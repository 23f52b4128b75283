import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type CallEnd, timeCall } from "./time-call.js";

test("reports the duration of a call and passes its result on", async () => {
  const ends: CallEnd[] = [];
  const call = () => sleep(20, "result");
  expect(await timeCall(call, (end) => ends.push(end))).toBe("result");
  expect(ends).toEqual([{ seconds: expect.any(Number), error: undefined }]);
  // A timer may end a millisecond early.
  expect(ends[0]!.seconds).toBeGreaterThanOrEqual(0.019);
});

test("reports the error of a call and throws it", async () => {
  const ends: CallEnd[] = [];
  const error = new Error("no answer");
  await expect(
    timeCall(
      () => Promise.reject(error),
      (end) => ends.push(end),
    ),
  ).rejects.toBe(error);
  expect(ends).toEqual([{ seconds: expect.any(Number), error }]);
});
