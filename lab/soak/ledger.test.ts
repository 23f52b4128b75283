import { describe, expect, test } from "vitest";
import { type Change, observe, record, type Result, type SoakFile, type State } from "./ledger.js";

const NOW = 1_000_000;

function aFile(changes: [Change, Result][] = [], ends: SoakFile["ends"] = null): SoakFile {
  const file: SoakFile = {
    path: "a",
    project: 0,
    sizeBytes: 1,
    fill: 1,
    states: new Set<State>(["open"]),
    ends,
    unsureUntil: 0,
    isByParts: false,
    isRecorded: false,
    isBusy: false,
    tried: {},
    done: {},
  };
  for (const [change, result] of changes)
    expect(record(file, change, result, { hasTrash: true, now: NOW })).toBeNull();
  return file;
}

const see = (file: SoakFile, state: State, now = NOW) => observe(file, state, { hasTrash: true, now });
const stored: [Change, Result][] = [
  ["send", "done"],
  ["complete", "done"],
];

describe("a file that was completed", () => {
  test("is lost if it is gone", () => {
    expect(see(aFile(stored), "gone")).toContain("gone, but it should be stored");
  });
  test("may not be refused", () => {
    const answer = record(aFile(stored), "delete", "refused", { hasTrash: true, now: NOW });
    expect(answer).toContain("delete refused, but it was stored");
  });
  test("may be gone after a purge, also if the purge was not answered", () => {
    expect(see(aFile([...stored, ["purge", "unknown"]]), "gone")).toBeNull();
    expect(see(aFile([...stored, ["purge", "unknown"]]), "stored")).toBeNull();
    expect(see(aFile([...stored, ["purge", "unknown"]]), "trashed")).not.toBeNull();
  });
});

test("a deleted file is in the trash, or gone if the service had not recorded it", () => {
  expect(see(aFile([...stored, ["delete", "done"]]), "gone")).toContain("gone, but it should be trashed");
  for (const state of ["trashed", "gone"] as const)
    expect(
      see(
        aFile([
          ["send", "done"],
          ["delete", "done"],
        ]),
        state,
      ),
    ).toBeNull();
});

test("a purged file may not be back", () => {
  expect(see(aFile([...stored, ["purge", "done"]]), "stored")).toContain("stored, but it should be gone");
});

test("an acknowledged PUT is stored without a completion", () => {
  expect(see(aFile([["send", "done"]]), "open")).not.toBeNull();
  expect(see(aFile([["send", "unknown"]]), "open")).toBeNull();
});

test("a file ends by itself within its time, and not before", () => {
  const ends = { from: NOW + 10, to: NOW + 20 };
  expect(see(aFile(stored, ends), "trashed")).not.toBeNull();
  expect(see(aFile(stored, ends), "trashed", NOW + 15)).toBeNull();
  expect(see(aFile(stored, ends), "stored", NOW + 15)).toBeNull();
  expect(see(aFile(stored, ends), "stored", NOW + 25)).not.toBeNull();
});
