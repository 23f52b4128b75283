import { sizeOfPart } from "@stowage/schemas/rules";
import { expect } from "vitest";
import { completeUpload } from "#files/settle/complete-upload.js";
import { lastCheckAt } from "#files/record/check-schedule.js";
import { signParts } from "#files/parts/sign-parts.js";
import type { PartSizes } from "#files/parts/upload-of-parts.js";
import type { World } from "../fixtures/a-world.js";
import { PART_BYTES, putPart } from "../fixtures/an-upload-by-parts.js";
import type { PartOperation } from "./operations.js";
import { codeOf, type PartUrl, type Requested, type Sender } from "./model.js";
import { byteOfParts, PUT_BYTES } from "./verdicts.js";

export function aSender(sizes: PartSizes): Sender {
  return { sizes, urls: [], started: new Map(), accepted: new Map() };
}

type SentByParts = Requested & { parts: Sender };

const BYTES = new Map(PUT_BYTES.map((byte) => [byte, new Uint8Array(PART_BYTES).fill(byte.charCodeAt(0))]));

/** The bytes of one part. @param change added to its length */
function bytesOf(sizes: PartSizes, number: number, change = 0): Uint8Array<ArrayBuffer> {
  return BYTES.get(byteOfParts(sizes.sizeBytes))!.subarray(0, sizeOfPart(number, sizes) + change);
}

interface HistoryOfParts {
  /** Defers an expectation until the test knows what all operations of a step did. */
  afterStep(check: () => void): void;
  /** Whether a killed worker hid the answer. */
  isHidden(outcome: unknown): boolean;
}

/** The operations on files that are sent in parts, and what each of them may answer. */
export class PartOperations {
  readonly #world: World;
  readonly #history: HistoryOfParts;

  constructor(world: World, history: HistoryOfParts) {
    this.#world = world;
    this.#history = history;
  }

  async perform(deps: World["deps"], requested: Requested, operation: PartOperation): Promise<void> {
    if (!isByParts(requested)) return;
    const { partCount } = requested.parts.sizes;
    if (operation.do === "send parts") {
      const numbers = Array.from({ length: partCount }, (_, index) => index + 1);
      const urls = await this.#sign(deps, requested, numbers);
      return void (await Promise.all(urls.map((url) => this.#put(requested, url))));
    }
    const number = (operation.part % partCount) + 1;
    if (operation.do === "sign parts") return void (await this.#sign(deps, requested, [number]));
    const urls = requested.parts.urls.filter((url) => url.number === number);
    const url = operation.do === "put part" && operation.url === "oldest" ? urls[0] : urls.at(-1);
    if (!url) return;
    if (operation.do === "put part") return this.#put(requested, url);
    expect(await putPart(url.url, bytesOf(requested.parts.sizes, number, -1))).toBe(403);
  }

  async #sign(deps: World["deps"], requested: SentByParts, numbers: number[]): Promise<PartUrl[]> {
    const { filePath, project, isCancelled, parts } = requested;
    const isOver = this.#isOver(requested);
    const wasStored = requested.put === "accepted";
    const input = { filePath, parts: numbers.map((number) => ({ number })) };
    const signed = await signParts(deps, project, input).catch(codeOf);
    const outcome = typeof signed === "string" ? signed : "signed";
    this.#history.afterStep(() => {
      if (this.#history.isHidden(outcome)) return;
      const possible = [
        ...(wasStored || isCancelled || (isOver && !this.#mayBeReopened(requested)) ? [] : ["signed"]),
        ...(isOver && !isCancelled ? ["upload_expired"] : []),
        ...(requested.put === "none" ? [] : ["upload_already_stored"]),
        ...(requested.mayBeGone ? ["file_not_found"] : []),
      ];
      expect(possible).toContain(outcome);
    });
    if (typeof signed === "string") return [];
    const urls = signed.parts.map(({ number, presignedUrl: url, expiresAt }) => ({
      number,
      url,
      uploadId: new URL(url).searchParams.get("uploadId")!,
      expiresAt: new Date(expiresAt),
    }));
    parts.urls.push(...urls);
    return urls;
  }

  /** Storage refuses a part only if its upload has ended. */
  async #put(requested: SentByParts, { number, url, uploadId, expiresAt }: PartUrl): Promise<void> {
    const { parts } = requested;
    // Storage's clock does not advance with the test's, so storage also accepts a PUT later than a real one can run.
    if (this.#now() >= lastCheckAt(expiresAt)) return;
    const isOpen = !this.#isOver(requested) && uploadId === parts.urls.at(-1)!.uploadId;
    parts.started.set(number, (parts.started.get(number) ?? 0) + 1);
    if (parts.started.size === parts.sizes.partCount && requested.put === "none") {
      requested.put = "started";
      requested.putSizes.push(parts.sizes.sizeBytes);
    }
    const status = await putPart(url, bytesOf(parts.sizes, number));
    expect([200, 404]).toContain(status);
    if (status === 200 && isOpen) {
      parts.accepted.set(uploadId, (parts.accepted.get(uploadId) ?? new Set()).add(number));
    }
    this.#history.afterStep(() => {
      const isFirst = parts.started.get(number) === 1;
      if (isOpen && isFirst && !requested.mayBeGone) expect(status).toBe(200);
    });
  }

  async complete(deps: World["deps"], requested: Requested): Promise<void> {
    if (!isByParts(requested)) return;
    const { filePath, project } = requested;
    const isOver = this.#isOver(requested);
    const wasSent = isSent(requested);
    const outcome = await completeUpload(deps, project, { filePath }).then(({ status }) => status, codeOf);
    if (outcome === "stored") requested.put = "accepted";
    this.#history.afterStep(() => {
      if (this.#history.isHidden(outcome)) return;
      const { put, mayBeGone } = requested;
      const possible = [
        ...(put === "none" ? [] : ["stored"]),
        ...(wasSent ? [] : ["upload_incomplete"]),
        // A cancel or delete beside it may have removed parts.
        ...(isOver && (mayBeGone || !wasSent) ? ["upload_expired"] : []),
        ...(mayBeGone ? ["file_not_found", "upload_incomplete"] : []),
      ];
      expect(possible).toContain(outcome);
    });
  }

  /** The reservation of a cancelled upload is returned, so storage must not have its parts. */
  async expectNoParts(path: string): Promise<void> {
    const { store } = this.#world.deps;
    const { uploads } = await store.listMultiparts(path, null);
    const pages = await Promise.all(uploads.map((upload) => store.listParts(upload, 0)));
    expect(pages.flatMap((page) => page?.parts ?? [])).toEqual([]);
  }

  /** An upload whose parts were all accepted in time is stored at the end, also if the page never completed it. */
  async expectSentUploadsToBeStored(all: Requested[]): Promise<void> {
    const sent = all.filter(
      (requested) =>
        isByParts(requested) && isSent(requested) && !requested.mayBeGone && requested.endsAt === null,
    );
    const paths = `{${sent.map(({ filePath }) => filePath).join(",")}}`;
    const lost = `select path, status from files where path = any($1::text[]) and status <> 'stored'`;
    expect(await this.#world.rows(lost, [paths])).toEqual([]);
  }

  /** Whether its session has ended, as far as the test knows. */
  #isOver({ expiresAt }: Requested): boolean {
    return this.#now() >= new Date(expiresAt);
  }

  /** A request with its Idempotency-Key may have opened it again, also one that got no answer. */
  #mayBeReopened({ key }: Requested): boolean {
    return key !== null;
  }

  #now(): Date {
    return this.#world.deps.clock();
  }
}

function isByParts(requested: Requested): requested is SentByParts {
  return requested.parts !== null;
}

function isSent({ parts: { accepted, sizes } }: SentByParts): boolean {
  return [...accepted.values()].some(({ size }) => size === sizes.partCount);
}
