import { describe, expect, test } from "vitest";
import { addVersion, endVersions } from "./chains.js";
import {
  type Change,
  checkPlace,
  observe,
  record,
  recordMove,
  recordUpdate,
  type Result,
  type SoakFile,
  type State,
} from "./ledger.js";

const NOW = 1_000_000;

function aFile(changes: [Change, Result][] = [], ends: SoakFile["ends"] = null): SoakFile {
  const file: SoakFile = {
    path: "a",
    project: 0,
    tenant: "t",
    folders: new Set(["inbox"]),
    notes: new Set(["1"]),
    chain: null,
    mayBeReplaced: false,
    mayBeClaimed: false,
    sizeBytes: 1,
    kind: "fill",
    fill: 1,
    states: new Set<State>(["open"]),
    ends,
    unsureUntil: 0,
    isByParts: false,
    isRecorded: false,
    isExpired: false,
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

test("a cancelled upload is gone, or stays without bytes if its URLs had ended", () => {
  const expired = { ...aFile(), isExpired: true };
  record(expired, "cancel", "done", { hasTrash: true, now: NOW });
  expect(see(expired, "open")).toBeNull();
  expect(see(aFile([["cancel", "done"]]), "open")).toContain("it should be gone");
});

test("a file ends by itself within its time, and not before", () => {
  const ends = { from: NOW + 10, to: NOW + 20 };
  expect(see(aFile(stored, ends), "trashed")).not.toBeNull();
  expect(see(aFile(stored, ends), "trashed", NOW + 15)).toBeNull();
  expect(see(aFile(stored, ends), "stored", NOW + 15)).toBeNull();
  expect(see(aFile(stored, ends), "stored", NOW + 25)).not.toBeNull();
});

describe("a file is where the last answer put it", () => {
  const at = (file: SoakFile, folder: string, note: string) => checkPlace(file, { folder, note });
  test("after an update that was answered, only there", () => {
    const file = aFile(stored);
    expect(recordUpdate(file, { folder: "done", note: "2" }, "done", NOW)).toBeNull();
    expect(at(file, "done", "2")).toBeNull();
    expect(at(file, "inbox", "2")).toContain("it should be in done with 2");
    expect(at(file, "done", "1")).not.toBeNull();
  });
  test("after an update without an answer, there or where it was", () => {
    const file = aFile(stored);
    recordUpdate(file, { folder: "done", note: "2" }, "unknown", NOW);
    expect(at(file, "inbox", "1")).toBeNull();
    expect(at(file, "done", "2")).toBeNull();
  });
  test("after a move of the folder, below its new name", () => {
    const file = aFile(stored);
    file.folders = new Set(["inbox/new"]);
    recordMove(file, { from: "inbox", to: "done" }, { isDone: true, now: NOW });
    expect(at(file, "done/new", "1")).toBeNull();
    expect(at(file, "inbox/new", "1")).not.toBeNull();
  });
});

describe("a version stays in the trash", () => {
  const aChain = (replacements: number, maxVersions = 2) => {
    const files = [aFile(stored)];
    for (let n = 0; n < replacements; n++) {
      const [old, file] = [files[0]!, aFile(stored)];
      record(old, "delete", "done", { hasTrash: true, now: NOW });
      addVersion(old, file, { isSure: true, maxVersions });
      files.unshift(file);
    }
    return files;
  };
  test("while there are not too many", () => {
    const [, ...versions] = aChain(2);
    for (const version of versions) expect(see(version, "gone")).toContain("it should be trashed");
  });
  test("until there are too many, and then until it ends", () => {
    const [, ...versions] = aChain(3);
    for (const version of versions) {
      expect(see(version, "trashed")).toBeNull();
      expect(see(aChain(3).at(-1)!, "gone")).toBeNull();
    }
  });
  test("until its file is deleted for good", () => {
    const [file, version] = aChain(1);
    endVersions(file!);
    expect(see(version!, "gone")).toBeNull();
  });
});
