import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../../test/backend.js";
import { aFile, aRuntime } from "../../../test/runtime.js";
import { aMoment, aStoreAt, settled, statuses } from "../../../test/store.js";

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
  await vi.waitFor(() => expect(backend.of("request")).toHaveLength(3));
  await aMoment();
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
