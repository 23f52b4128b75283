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
  return wrapCalls(deps, async (_, work) => {
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
  });
}

/** Calls of a process to others. `storage` are those that are not named. A `purge` is a part of `remove published`. */
export type CallKind =
  "database" | "storage" | "write" | "remove" | "publish" | "take back" | "remove published" | "purge";

/** Runs a call of a process, or something else. */
export type Around = <T>(kind: CallKind, work: () => Promise<T>) => Promise<T>;

/** Wraps each call of the world's dependencies to the database and storage. */
export function wrapCalls(deps: World["deps"], around: Around): World["deps"] {
  const { store } = deps;
  const { published } = store;
  const batching = { isSeparate: () => inject("citus") !== null };
  const db: World["deps"]["db"] = {
    ...deps.db,
    run: (run) => around("database", () => deps.db.run(run)),
    execute: (statement, parameters) => around("database", () => deps.db.execute(statement, parameters)),
    batch: (lane, batch) =>
      deps.db.batch(lane, {
        ...batch,
        run: (queries, inputs) => around("database", () => batch.run(queries, inputs)),
      }),
  };
  const storage = <T>(work: () => Promise<T>) => around("storage", work);
  return {
    ...deps,
    db,
    admit: createBatchedAdmit(db, batching),
    markStored: createBatchedMarkStored({ ...deps, db }, batching),
    store: {
      ...store,
      published: published && {
        ...published,
        head: (path) => storage(() => published.head(path)),
        read: (path, signal) => storage(() => published.read(path, signal)),
        remove: (path) => around("remove published", () => published.remove(path)),
        publish: (source, headers) => around("publish", () => published.publish(source, headers)),
        takeBack: (source, headers) => around("take back", () => published.takeBack(source, headers)),
      },
      head: (path) => storage(() => store.head(path)),
      read: (path, signal) => storage(() => store.read(path, signal)),
      remove: (path) => around("remove", () => store.remove(path)),
      write: (path, bytes, type) => around("write", () => store.write(path, bytes, type)),
      presignPut: (grant) => storage(() => store.presignPut(grant)),
      presignPart: (grant) => storage(() => store.presignPart(grant)),
      createMultipart: (path, headers) => storage(() => store.createMultipart(path, headers)),
      listParts: (upload, after) => storage(() => store.listParts(upload, after)),
      completeMultipart: (upload, parts) => storage(() => store.completeMultipart(upload, parts)),
      abortMultipart: (upload) => storage(() => store.abortMultipart(upload)),
      listMultiparts: (prefix, cursor) => storage(() => store.listMultiparts(prefix, cursor)),
    },
  };
}
