import { connect } from "node:net";
import { StowageError } from "@stowage/schemas";
import { expect } from "vitest";
import { completeUpload } from "#files/settle/complete-upload.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { findArrivedFile } from "#files/settle/find-arrived-file.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import type { RequestedUpload } from "#files/upload/request-upload.js";
import { handleStorageEvents } from "#storage-events/handle-notification.js";
import { oneStorage } from "../fixtures/one-storage.js";
import { put, type World } from "../fixtures/a-world.js";
import {
  canStillPut,
  mayBeRefused,
  mayHaveForgottenCancel,
  codeOf,
  hasArrivedInTime,
  type Requested,
} from "./model.js";
import type { UploadOperation } from "./operations.js";
import type { PartOperations } from "./part-operations.js";
import { PUT_BYTES } from "./verdicts.js";

type Deps = World["deps"];

/** Of a file whose size was not declared. */
const SENT_BYTES = 30;

interface HistoryOfUploads {
  bucket: string;
  parts: PartOperations;
  /** Whether a killed worker hid the answer. */
  isHidden(outcome: unknown): boolean;
  /** Expects that there is no file for the caller. */
  expectMissing(call: Promise<unknown>): Promise<void>;
}

/** The operations on an upload, and what each of them may answer. part-operations.ts has those on its parts. */
export class UploadOperations {
  readonly #world: World;
  readonly #history: HistoryOfUploads;

  constructor(world: World, history: HistoryOfUploads) {
    this.#world = world;
    this.#history = history;
  }

  async perform(deps: Deps, requested: Requested, operation: UploadOperation): Promise<void> {
    const { filePath, single, declaredSize } = requested;
    switch (operation.do) {
      case "put":
        return this.#put(requested, operation.size);
      case "put of another length":
        if (single && declaredSize !== null && declaredSize !== operation.size) {
          expect(await put(single, "x".repeat(operation.size))).toBe(403);
        }
        return;
      case "cut put":
        return void (single && (await cutPut(single, declaredSize ?? 1000)));
      case "complete":
        return this.#complete(deps, requested);
      case "read":
        return this.#read(deps, requested);
      case "event": {
        const { bucket } = this.#history;
        const event = { bucket, keys: [filePath] };
        return void (await handleStorageEvents(
          { ...deps, storages: oneStorage(deps.store, bucket), signals: { mark: () => undefined } },
          Array.from({ length: operation.times }, () => event),
        ));
      }
      case "cancel":
        return this.#cancel(deps, requested);
    }
  }

  /** Sends a file that was just requested, and completes it. */
  async send(deps: Deps, requested: Requested, sentBytes = SENT_BYTES): Promise<void> {
    if (requested.parts) await this.#history.parts.perform(deps, requested, { do: "send parts", file: 0 });
    else await this.#put(requested, sentBytes);
    await this.#complete(deps, requested);
  }

  /** Sends other bytes to the URL of a stored file, and the service records them. */
  async replay(deps: Deps, requested: Requested): Promise<void> {
    if (requested.put !== "accepted" || requested.parts) return;
    await this.#put(requested, SENT_BYTES);
    await settleUpload(deps, requested.project.id, requested.filePath);
  }

  async #put(requested: Requested, size: number): Promise<void> {
    const { single, declaredSize } = requested;
    if (!single || !canStillPut(single, this.#now())) return;
    if (requested.put === "none") requested.put = "started";
    // The bytes of a replayed URL differ, also if their number is signed.
    const byte = PUT_BYTES[requested.putSizes.length % PUT_BYTES.length]!;
    requested.putSizes.push(declaredSize ?? size);
    if (mayBeRefused(requested)) requested.mayBeGone = true;
    expect(await put(single, byte.repeat(declaredSize ?? size))).toBe(200);
    requested.put = "accepted";
  }

  async #complete(deps: Deps, requested: Requested): Promise<void> {
    const { filePath, project, parts, isCancelled } = requested;
    if (parts && !isCancelled) return this.#history.parts.complete(deps, requested);
    const completed = completeUpload(deps, project, { filePath });
    // A cancel of an upload that was refused succeeds, and its completion still says why.
    if (isCancelled && mayBeRefused(requested))
      return void expect(["file_not_found", "quota_exceeded", "unavailable"]).toContain(
        await completed.catch(codeOf),
      );
    if (isCancelled) return this.#history.expectMissing(completed);
    await completed;
  }

  /** Other operations may run at the same time. So it reads before the call what must be true, and after it what may be. */
  async #cancel(deps: Deps, requested: Requested): Promise<void> {
    const { filePath, project, isCancelled } = requested;
    const hasArrived = hasArrivedInTime(requested, this.#now());
    const outcome = await cancelUpload(deps, project, { filePath }).then(
      () => "cancelled",
      (error: unknown) => (error instanceof StowageError ? error.code : "crashed"),
    );
    const isForgotten = requested.mayBeForgotten || mayHaveForgottenCancel(requested, this.#now());
    const answers = this.#answersToCancel(requested, { isCancelled, isForgotten, hasArrived });
    const isUnknown = outcome === "crashed" || this.#history.isHidden(outcome);
    // The parts may be gone after `unavailable` too.
    if (isUnknown || outcome === "cancelled" || outcome === "unavailable") requested.mayBeGone = true;
    if (isUnknown) return;
    expect(answers).toContain(outcome);
    // The row of an upload that expired long ago stays in the lists.
    if (outcome !== "cancelled" || !canStillPut(requested, this.#now())) return;
    requested.isCancelled = true;
    if (requested.parts) await this.#history.parts.expectNoParts(filePath);
  }

  #answersToCancel(
    { put, parts, mayBeGone, mayBeHeld }: Requested,
    {
      isCancelled,
      isForgotten,
      hasArrived,
    }: { isCancelled: boolean; isForgotten: boolean; hasArrived: boolean },
  ): string[] {
    if (isCancelled) return ["cancelled", ...(isForgotten ? ["file_not_found"] : [])];
    return [
      ...(hasArrived && !mayBeGone ? [] : ["cancelled"]),
      ...(put === "none" ? [] : ["upload_already_stored"]),
      // A call that completes an upload by parts keeps others from ending it, for some time also if its process is killed.
      ...(put !== "none" && parts ? ["unavailable"] : []),
      ...(mayBeGone ? ["file_not_found"] : []),
      ...(mayBeHeld ? ["file_on_hold"] : []),
    ];
  }

  /** A read shows a file as stored from the moment at which storage has accepted the PUT, without any other call. */
  async #read(deps: Deps, requested: Requested): Promise<void> {
    const { filePath, project, isCancelled } = requested;
    const hasArrived = hasArrivedInTime(requested, this.#now());
    const reference = { filePath };
    const ifStorageIsDown = "return recorded";
    const outcome = await findArrivedFile({ ...deps, settling: deps }, project, reference, {
      ifStorageIsDown,
    }).then(({ file: { status, size } }) => (status === "stored" ? size : status), codeOf);
    if (this.#history.isHidden(outcome)) return;
    const { putSizes, mayBeGone } = requested;
    const unstored = ["pending", "expired", ...(mayBeGone ? ["file_not_found"] : [])];
    // An upload whose bytes arrived after it had expired is removed if it does not fit the quota.
    if (putSizes.length > 0 && !hasArrived) unstored.push("file_not_found");
    if (isCancelled) expect(outcome).toBe("file_not_found");
    else expect(hasArrived && !mayBeGone ? putSizes : [...putSizes, ...unstored]).toContain(outcome);
  }

  #now(): Date {
    return this.#world.deps.clock();
  }
}

/** Declares a size, sends fewer bytes and disconnects. */
function cutPut(upload: RequestedUpload, sizeBytes: number): Promise<void> {
  const url = new URL(upload.presignedUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      const headers = Object.entries(upload.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(
        `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${headers.join("")}` +
          `Content-Length: ${sizeBytes + 1}\r\n\r\n${"x".repeat(Math.floor(sizeBytes / 2))}`,
        () => socket.destroy(),
      );
    });
    socket.on("error", () => undefined).on("close", () => resolve());
  });
}
