import { expect, test } from "vitest";
import { aFile, aRuntime, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aMoment } from "../../test/store.js";
import { toFailure } from "../messages.js";
import { createNetwork } from "../network/network.js";
import { createFakeTransport } from "../testing/index.js";
import { createFileCollection } from "./file-collection.js";
import type { FileEvent } from "./file-state.js";
import { createUploadsOnDemand } from "./uploads-on-demand.js";

/** One file of a list, and code that cannot be loaded so often. */
function aList({ failures = 0, isClockStopped = false } = {}) {
  const runtime = isClockStopped ? aRuntime() : aRuntimeWithoutPauses();
  const state = { failures, attempts: 0 };
  const transport = createFakeTransport();
  const events: FileEvent[] = [];
  const files = createFileCollection((event) => events.push(event));
  const network = createNetwork(
    runtime,
    () => transport,
    () => {},
  );
  const { upload } = createUploadsOnDemand(
    {
      runtime,
      network,
      transport: () => transport,
      settings: () => ({ transport }),
      limits: () => ({}),
      files,
      failureOf: (cause, item, errors) => toFailure(cause, item, {}, {}, errors),
      resumables: {
        isPossible: () => false,
        load: async () => null,
        session: () => null,
        ended: () => {},
        refresh: () => {},
      },
      onDeleted: () => {},
      onRoom: () => {},
      wait: async () => {},
      onCancellationChange: () => {},
    },
    async () => {
      state.attempts++;
      if (state.failures-- > 0) throw new TypeError("Failed to fetch dynamically imported module");
      return import("./uploads.js");
    },
  );
  const id = files.add(aFile());
  const start = (signal = new AbortController().signal) => upload(files.get(id)!, signal);
  return { state, runtime, network, events, start, item: () => files.get(id)!.item };
}

test("a file waits for code that does not come at once, and shows why", async () => {
  const list = aList({ failures: 2 });
  expect(await list.start()).toMatchObject({ type: "completed" });
  expect(list.state.attempts).toBe(3);
  expect(list.events.slice(0, 3)).toMatchObject([
    { type: "preparing" },
    { type: "requesting", retry: { attempt: 2, failure: { code: "network_error" } } },
    { type: "requesting", retry: { attempt: 3, failure: { code: "network_error" } } },
  ]);
});

test("a file fails if the code does not come at all, and a person can retry it", async () => {
  const list = aList({ failures: 5 });
  expect(await list.start()).toMatchObject({
    type: "failed",
    failure: {
      code: "server_unreachable",
      message: "The server cannot be reached. Check your connection, or try again later.",
      canRetry: true,
    },
  });
  expect(await list.start()).toMatchObject({ type: "completed" });
});

test("a file waits for the code as long as the browser is offline", async () => {
  const list = aList({ isClockStopped: true });
  list.network.watch(true);
  list.runtime.setOnline(false);
  const ending = list.start();
  await aMoment();
  expect(list.state.attempts).toBe(0);
  expect(list.item().status).toBe("preparing");
  list.runtime.setOnline(true);
  expect(await ending).toMatchObject({ type: "completed" });
});

test("a file that was cancelled meanwhile is not uploaded", async () => {
  const list = aList();
  const run = new AbortController();
  const ending = list.start(run.signal);
  run.abort();
  expect(await ending).toMatchObject({ type: "failed" });
  expect(list.events.map(({ type }) => type)).toEqual(["preparing"]);
});
