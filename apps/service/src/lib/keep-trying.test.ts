import { StowageError } from "@stowage/schemas";
import { expect, test } from "vitest";
import { keepTrying } from "./keep-trying.js";

function failing(times: number, error: Error) {
  const pauses: number[] = [];
  let left = times;
  const work = async () => {
    if (left-- > 0) throw error;
    return "done";
  };
  const sleep = async (ms: number) => pauses.push(ms);
  return { pauses, run: () => keepTrying(sleep, work) };
}

test("repeats a temporary failure after pauses that double", async () => {
  const { pauses, run } = failing(3, new StowageError("unavailable"));
  expect(await run()).toBe("done");
  expect(pauses).toEqual([500, 1000, 2000]);
});

test("gives up after six tries", async () => {
  const { pauses, run } = failing(6, new StowageError("unavailable"));
  await expect(run()).rejects.toMatchObject({ code: "unavailable" });
  expect(pauses).toHaveLength(5);
});

test("does not repeat what a later try cannot do", async () => {
  const { pauses, run } = failing(1, new StowageError("invalid_request"));
  await expect(run()).rejects.toMatchObject({ code: "invalid_request" });
  expect(pauses).toEqual([]);
});
