import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile, aRuntime } from "../../test/runtime.js";
import { aMoment, aStoreAt, settled, statuses } from "../../test/store.js";
import { createRequestGate } from "./request-gate.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

test("slows all uploads down after a 503, and speeds up with each success", async () => {
  const runtime = aRuntime({ random: 0 });
  const store = aStoreAt(backend, { concurrency: 3 }, runtime);
  backend.nextAnswers.request.push(
    ...Array.from({ length: 3 }, () => ({ status: 503, headers: { "Retry-After": "7" } })),
  );
  store.add(Array.from({ length: 9 }, (_, index) => aFile(`${index}`, 400_000)));
  // Each of the three calls pauses, and holds all others back.
  await expect.poll(() => runtime.pendingMs().filter((delayMs) => delayMs === 7000)).toHaveLength(6);
  // The other six files wait, though no call is in flight.
  expect(statuses(store).filter((status) => status === "queued")).toHaveLength(6);
  runtime.advance(6_999);
  await aMoment();
  expect(backend.of("request")).toHaveLength(3);

  // From here on, calls in flight never exceed one plus the number of successes before.
  let successes = 0;
  let most = 0;
  let flying = 0;
  backend.onCall = (step, isOver) => {
    if (step === "put" || step === "request") flying += isOver ? -1 : 1;
    most = Math.max(most, flying - successes);
    // A request and its PUT pass the gate as one call, a confirmation as another.
    if (isOver && step !== "request") successes++;
  };
  runtime.advance(1);
  await settled(store);
  expect(most).toBeLessThanOrEqual(1);
  expect(statuses(store)).toEqual(Array.from({ length: 9 }, () => "done"));
  expect(backend.of("put")).toHaveLength(9);
});

test("slows all files of a batch down that was refused as a whole, and uploads each of them", async () => {
  const runtime = aRuntime({ random: 0 });
  const store = aStoreAt(backend, { concurrency: 4 }, runtime);
  backend.nextAnswers["request-batch"].push({ status: 429, body: {}, headers: { "Retry-After": "7" } });
  store.add(Array.from({ length: 4 }, (_, index) => aFile(`${index}`)));
  // The first file had a call of its own.
  await expect.poll(() => backend.of("put")).toHaveLength(1);
  await expect.poll(() => runtime.pendingMs()).toContain(7000);
  runtime.advance(6_999);
  await aMoment();
  expect(backend.of("request")).toHaveLength(1);
  runtime.advance(1);
  await settled(store);
  expect([statuses(store), backend.of("put").length]).toEqual([["done", "done", "done", "done"], 4]);
});

/** A gate alone, and the names of the calls that have passed it. `leave` ends the oldest of them. */
function aGate() {
  const runtime = aRuntime();
  const state = { isHeld: false };
  const onChange = vi.fn();
  const gate = createRequestGate(runtime, { isHeld: () => state.isHeld, onChange });
  const passed: string[] = [];
  const running: (() => void)[] = [];
  const enter = (name: string, slots: 0 | 1 = 1, signal = new AbortController().signal) =>
    gate.enter(signal, slots).then((leave) => {
      passed.push(name);
      running.push(leave);
    });
  return { ...gate, runtime, state, onChange, passed, enter, leave: () => running.shift()!() };
}

test("lets every call pass until a server asks for a pause", async () => {
  const gate = aGate();
  await Promise.all([gate.enter("a"), gate.enter("b")]);
  gate.pause(1000);
  expect(gate.capacity()).toBe(0);
  void gate.enter("c");
  gate.runtime.advance(999);
  await aMoment();
  expect(gate.passed).toEqual(["a", "b"]);
});

test("lets one call pass at a time after a pause, oldest first, and one more with each success", async () => {
  const gate = aGate();
  gate.pause(1000);
  for (const name of ["a", "b", "c", "d"]) void gate.enter(name);
  gate.runtime.advance(1000);
  await aMoment();
  expect(gate.passed).toEqual(["a"]);
  gate.raiseLimit();
  gate.leave();
  await aMoment();
  expect(gate.passed).toEqual(["a", "b", "c"]);
  gate.leave();
  await aMoment();
  expect(gate.passed).toEqual(["a", "b", "c", "d"]);
});

test("does not wait after a pause for a call from before it, such as the PUT of a large file", async () => {
  const gate = aGate();
  await gate.enter("large");
  gate.pause(1000);
  for (const name of ["a", "b", "c"]) void gate.enter(name);
  gate.runtime.advance(1000);
  await aMoment();
  expect(gate.passed).toEqual(["large", "a"]);
  // The end of the large one makes no room.
  gate.leave();
  await aMoment();
  expect(gate.passed).toEqual(["large", "a"]);
  gate.leave();
  await aMoment();
  expect(gate.passed).toEqual(["large", "a", "b"]);
});

test("stays closed until the longest of several pauses ends", () => {
  const gate = aGate();
  gate.pause(1000);
  gate.pause(3000);
  gate.runtime.advance(1000);
  expect(gate.capacity()).toBe(0);
  gate.runtime.advance(2000);
  expect(gate.capacity()).toBe(1);
});

test("closes while offline, and opens at the next check", async () => {
  const gate = aGate();
  gate.state.isHeld = true;
  void gate.enter("a");
  await aMoment();
  expect(gate.passed).toEqual([]);
  gate.state.isHeld = false;
  gate.recheck();
  await aMoment();
  expect(gate.passed).toEqual(["a"]);
  expect(gate.onChange).toHaveBeenCalledOnce();
});

test("counts no call without a slot", async () => {
  const gate = aGate();
  gate.pause(0);
  gate.runtime.advance(0);
  await Promise.all([gate.enter("background", 0), gate.enter("upload")]);
  expect(gate.passed).toEqual(["background", "upload"]);
});

test("rejects a waiting call with the reason of its signal, and takes no slot for it", async () => {
  const gate = aGate();
  const reason = new Error("cancelled");
  const caller = new AbortController();
  gate.pause(1000);
  const waiting = gate.enter("a", 1, caller.signal);
  caller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(gate.enter("b", 1, caller.signal)).rejects.toBe(reason);
  gate.runtime.advance(1000);
  await gate.enter("c");
  expect(gate.passed).toEqual(["c"]);
});
