import { StowageError } from "@stowage/schemas";
import { expect } from "vitest";
import { openUpload, type OpenedUpload } from "#files/parts/open-upload.js";
import { requestUpload, type RequestedUpload } from "#files/upload/request-upload.js";
import { addMs, SECOND_MS } from "#lib/time.js";
import type { World } from "../fixtures/a-world.js";
import { PART_BYTES } from "../fixtures/an-upload-by-parts.js";
import type { HistoryProject } from "./invariants.js";
import { LARGE_TENANT, type Operation } from "./operations.js";
import { aSender } from "./part-operations.js";
import type { Requested } from "./requested.js";

type Deps = World["deps"];

const DAY = 24 * 3600 * 1000;

interface HistoryOfRequests {
  /** Defers an expectation until the test knows what all operations of a step did. */
  afterStep(check: () => void): void;
}

/** The requests for uploads, and what each of them may answer. */
export class RequestOperations {
  /** The files that were requested, in the order of the answers. */
  readonly requested: Requested[] = [];
  /** Keys of requests that got no answer. The test does not know whether the service admitted their uploads. */
  readonly #unknownKeys = new Set<string>();
  readonly #world: World;
  readonly #history: HistoryOfRequests;

  constructor(world: World, history: HistoryOfRequests) {
    this.#world = world;
    this.#history = history;
  }

  async upload(
    deps: Deps,
    operation: Operation & { do: "upload" },
    project: HistoryProject,
  ): Promise<Requested> {
    const key = operation.key && `${operation.project} ${operation.tenant} ${operation.key}`;
    const first = key === null ? undefined : this.requested.findLast((requested) => requested.key === key);
    const request = {
      tenantId: `tenant ${operation.tenant}`,
      filename: "a.txt",
      ...(operation.size === null ? {} : { size: operation.size }),
      ...(operation.expiresAfter !== undefined && { expiresAfter: operation.expiresAfter }),
    };
    const keyExpiresAt = addMs(this.#world.deps.clock(), DAY);
    const requested = requestUpload(deps, project, request, operation.key ?? undefined);
    if (key !== null && first) {
      this.#expectRepeated(requested, { key, first, size: operation.size, isByParts: false });
    }
    const upload = await this.#answerTo(requested, key);
    const endsAt =
      operation.expiresAfter === undefined
        ? null
        : addMs(this.#world.deps.clock(), operation.expiresAfter * SECOND_MS);
    if (endsAt) expect(new Date(upload.expiresAt).getTime()).toBeLessThanOrEqual(endsAt.getTime());
    return this.#remember(upload, {
      single: (upload) => upload,
      parts: null,
      project,
      declaredSize: operation.size,
      key,
      keyExpiresAt,
      endsAt,
    });
  }

  async openParts(
    deps: Deps,
    operation: Operation & { do: "open parts" },
    project: HistoryProject,
  ): Promise<void> {
    const isLarge = operation.tenant === LARGE_TENANT;
    const size = operation.size + (isLarge ? PART_BYTES : 0);
    const key = operation.key && `${operation.project} ${operation.tenant} ${operation.key}`;
    const first = key === null ? undefined : this.requested.findLast((requested) => requested.key === key);
    const request = { tenantId: `tenant ${operation.tenant}`, filename: "a.txt", size, partSize: PART_BYTES };
    const keyExpiresAt = addMs(this.#world.deps.clock(), DAY);
    const opened = openUpload(deps, project, request, operation.key ?? undefined);
    if (key !== null && first) this.#expectRepeated(opened, { key, first, size, isByParts: true });
    const parts = { sizeBytes: size, partSizeBytes: PART_BYTES, partCount: isLarge ? 2 : 1 };
    const upload = await this.#answerTo(opened, key);
    expect(upload).toMatchObject({ partSize: PART_BYTES, partCount: parts.partCount, maxBytes: size });
    this.#remember(upload, {
      single: () => null,
      parts: aSender(parts),
      project,
      declaredSize: size,
      key,
      keyExpiresAt,
      endsAt: null,
    });
  }

  /** A request that got no answer may have been admitted. */
  async #answerTo<Upload>(requested: Promise<Upload>, key: string | null): Promise<Upload> {
    return requested.catch((error: unknown) => {
      const isRefused = error instanceof StowageError && error.code !== "unavailable";
      if (key !== null && !isRefused) this.#unknownKeys.add(key);
      throw error;
    });
  }

  /** @param keyExpiresAt when the key may be used for another request, if this request is its first one */
  #remember<Upload extends RequestedUpload | OpenedUpload>(
    upload: Upload,
    {
      single,
      project,
      ...rest
    }: Pick<Requested, "parts" | "declaredSize" | "key" | "keyExpiresAt" | "endsAt"> & {
      project: HistoryProject;
      single: (upload: Upload) => Requested["single"];
    },
  ): Requested {
    const { filePath, expiresAt, isNewTenant } = upload;
    const repeated = this.requested.find((earlier) => earlier.filePath === filePath);
    if (!repeated) {
      const requested: Requested = {
        ...rest,
        project,
        settings: project.settings,
        filePath,
        expiresAt,
        isNewTenant,
        single: single(upload),
        put: "none",
        putSizes: [],
        mayBeGone: false,
        isCancelled: false,
        deleted: null,
        held: null,
        verdicts: new Map(),
      };
      this.requested.push(requested);
      return requested;
    }
    expect(repeated.key).toBe(rest.key);
    expect(repeated.isNewTenant).toBe(isNewTenant);
    if (repeated.expiresAt >= expiresAt) return repeated;
    repeated.single = single(upload);
    repeated.expiresAt = expiresAt;
    return repeated;
  }

  /** Expects that a request answers the upload that the same key has opened, or is refused if it asks for something else. */
  #expectRepeated(
    requested: Promise<RequestedUpload | OpenedUpload>,
    {
      key,
      first,
      size,
      isByParts,
    }: { key: string; first: Requested; size: number | null; isByParts: boolean },
  ): void {
    const { filePath, expiresAt, keyExpiresAt } = first;
    const now = this.#world.deps.clock();
    if (now >= keyExpiresAt) return;
    const isValid = now < new Date(expiresAt);
    const outcome = requested.then(
      (upload) => upload.filePath,
      (error: unknown) => (error instanceof StowageError ? error.code : "crashed"),
    );
    void outcome.then((answered) =>
      this.#history.afterStep(() => {
        if (this.#unknownKeys.has(key) || answered === "unauthorized") return;
        const isAnother = first.declaredSize !== size || (first.parts !== null) !== isByParts;
        if (isAnother) expect(answered).toBe("idempotency_key_reused");
        else if (isValid && !first.mayBeGone) expect(answered).toBe(filePath);
      }),
    );
  }
}
