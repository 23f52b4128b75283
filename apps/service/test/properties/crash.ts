import { inject } from "vitest";
import { createBatchedAdmit } from "#files/upload/admit-uploads.js";
import { createBatchedMarkStored } from "#files/settle/mark-stored.js";
import type { World } from "../fixtures/a-world.js";

/** The error of every call of a killed process. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Where a process dies: at its n-th call to the database or storage, before or after the call took effect. */
export interface CrashPoint {
  call: number;
  when: "before" | "after";
}

/** Wraps the world's dependencies for a process that dies at this point. Every later call of the process fails too. */
export function crashingDeps(deps: World["deps"], point: CrashPoint): World["deps"] {
  let calls = 0;
  let isDead = false;
  async function step<T>(work: () => Promise<T>): Promise<T> {
    const isHere = calls++ === point.call;
    if (isDead || (isHere && point.when === "before")) {
      isDead = true;
      throw new Crash();
    }
    const result = await work();
    if (isHere || isDead) {
      isDead = true;
      throw new Crash();
    }
    return result;
  }
  const { store } = deps;
  const { published } = store;
  const batching = { timeoutMs: 10_000, isCitus: () => inject("citus") !== null };
  const db: World["deps"]["db"] = {
    ...deps.db,
    run: (run) => step(() => deps.db.run(run)),
    execute: (statement, parameters) => step(() => deps.db.execute(statement, parameters)),
  };
  return {
    ...deps,
    db,
    admit: createBatchedAdmit(db, batching),
    markStored: createBatchedMarkStored({ db, clock: deps.clock }, batching),
    store: {
      ...store,
      published: published && {
        ...published,
        head: (path) => step(() => published.head(path)),
        read: (path, signal) => step(() => published.read(path, signal)),
        remove: (path) => step(() => published.remove(path)),
        publish: (source, headers) => step(() => published.publish(source, headers)),
        takeBack: (source, headers) => step(() => published.takeBack(source, headers)),
      },
      head: (path) => step(() => store.head(path)),
      read: (path, signal) => step(() => store.read(path, signal)),
      remove: (path) => step(() => store.remove(path)),
      write: (path, bytes, type) => step(() => store.write(path, bytes, type)),
      presignPut: (grant) => step(() => store.presignPut(grant)),
      presignPart: (grant) => step(() => store.presignPart(grant)),
      createMultipart: (path, headers) => step(() => store.createMultipart(path, headers)),
      listParts: (upload, after) => step(() => store.listParts(upload, after)),
      completeMultipart: (upload, parts) => step(() => store.completeMultipart(upload, parts)),
      abortMultipart: (upload) => step(() => store.abortMultipart(upload)),
      listMultiparts: (prefix, cursor) => step(() => store.listMultiparts(prefix, cursor)),
    },
  };
}
