import { says } from "@stowage/service-fake";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aClientSetup, type ClientSetup, unavailable } from "../../test/client-setup.js";

let setup: ClientSetup;
beforeEach(async () => void (setup = await aClientSetup()));
afterEach(() => setup[Symbol.asyncDispose]());

const anEvent = (id: string) => ({
  id,
  type: "file.stored",
  timestamp: "2026-01-01T00:00:00.000Z",
  data: { project_ref: "p", file_path: id, metadata: { album_id: "7" } },
});
const page = (cursor: string, ...ids: string[]) =>
  says(200, { events: ids.map(anEvent), next_cursor: cursor });
const askedFor = () => setup.service.calls.map(({ path }) => new URL(path, "http://service").search);

test("yields pages with events in camelCase, waits for the next one, and ends with the loop", async () => {
  setup.service.next(page("1", "evt_a", "evt_b"));
  setup.service.next(page("1"));
  setup.service.next(unavailable);
  setup.service.next(page("2", "evt_c"));
  const seen: [string[], string][] = [];
  for await (const { events, nextCursor } of setup.createClient().followEvents({ after: "0" })) {
    seen.push([events.map(({ id }) => id), nextCursor]);
    if (seen.length === 1)
      expect(events[0]).toEqual({
        id: "evt_a",
        type: "file.stored",
        timestamp: "2026-01-01T00:00:00.000Z",
        data: { projectRef: "p", filePath: "evt_a", metadata: { album_id: "7" } },
      });
    if (nextCursor === "2") break;
  }
  expect(seen).toEqual([
    [["evt_a", "evt_b"], "1"],
    [["evt_c"], "2"],
  ]);
  expect(askedFor()).toEqual(["?after=0&wait=0", ...Array.from({ length: 3 }, () => "?after=1&wait=25")]);
});

test("yields the cursor of an empty log at once, and asks for types and a page size", async () => {
  setup.service.next(page("9"));
  const events = setup.createClient().followEvents({ types: ["file.stored", "file.deleted"], pageSize: 5 });
  expect(await events.next()).toEqual({ done: false, value: { events: [], nextCursor: "9" } });
  await events.return();
  expect(askedFor()).toEqual(["?types=file.stored%2Cfile.deleted&limit=5&wait=0"]);
});

test("throws cursor_expired, the last failure of its retries, and the reason of an abort", async () => {
  const client = setup.createClient();
  setup.service.next(says(410, { detail: "Events after this cursor are not kept any more" }));
  await expect(client.followEvents().next()).rejects.toMatchObject({ code: "cursor_expired" });
  for (let call = 0; call < 4; call++) setup.service.next(unavailable);
  await expect(client.followEvents().next()).rejects.toMatchObject({ code: "unavailable" });
  const leave = new AbortController();
  const reason = new Error("shutting down");
  setup.service.next(() => leave.abort(reason));
  await expect(client.followEvents({ signal: leave.signal }).next()).rejects.toBe(reason);
});
