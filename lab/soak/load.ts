import { setTimeout as sleep } from "node:timers/promises";
import type { LoadState } from "./load-state.js";
import { browse, downloadOne } from "./read-operations.js";
import type { Random } from "./random.js";
import { changeMany, changeOne } from "./change-operations.js";
import { changeFolder, updateOne } from "./folder-operations.js";
import { shareOne } from "./link-operations.js";
import { replaceOne, useVersions } from "./replace-operations.js";
import { viewVariant } from "./scan-operations.js";
import { uploadByParts, uploadSingle } from "./upload-operations.js";

export interface Load {
  state: LoadState;
  stop(): Promise<void>;
}

/** More files than this are deleted again, so that the load's own rows and objects stay bounded. */
const LIVE_FILES = 400;
const CONCURRENT_OPERATIONS = 12;
const PAUSE_AFTER_NOTHING_MS = 50;

type Operation = (state: LoadState) => Promise<boolean>;

const operations: [weight: number, operation: Operation][] = [
  [24, uploadSingle],
  [5, uploadByParts],
  [22, downloadOne],
  [9, (state) => changeOne(state, "delete")],
  [5, (state) => changeOne(state, "purge")],
  [8, (state) => changeOne(state, "restore")],
  [4, (state) => changeOne(state, "cancel")],
  [2, (state) => changeMany(state, "delete")],
  [1, (state) => changeMany(state, "purge")],
  [1, (state) => changeMany(state, "restore")],
  [8, browse],
  [8, updateOne],
  [1, (state) => changeFolder(state, "move")],
  [0.6, (state) => changeFolder(state, "delete")],
  [8, replaceOne],
  [4, useVersions],
  [3, shareOne],
  [4, viewVariant],
];
const clearing: [weight: number, operation: Operation][] = [
  [3, (state) => changeMany(state, "purge")],
  [2, (state) => changeOne(state, "purge")],
  [5, downloadOne],
];

export function startLoad(state: LoadState): Load {
  const stopping = new AbortController();
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const from = state.live.length > LIVE_FILES ? clearing : operations;
      const operation = chosen(from, state.random);
      if (!(await operation(state))) await sleep(PAUSE_AFTER_NOTHING_MS);
    }
  }
  const workers = Array.from({ length: CONCURRENT_OPERATIONS }, work);
  return {
    state,
    stop: async () => {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}

function chosen(list: [number, Operation][], random: Random): Operation {
  let left = random.next() * list.reduce((sum, [weight]) => sum + weight, 0);
  return list.find(([weight]) => (left -= weight) < 0)![1];
}
