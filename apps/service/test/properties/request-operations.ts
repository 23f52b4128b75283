import { StowageError } from "@stowage/schemas";
import { expect } from "vitest";
import { openUpload, type OpenedUpload } from "#files/upload/open-upload.js";
import { requestUpload, type RequestedUpload } from "#files/upload/request-upload.js";
import { addMs, SECOND_MS } from "#lib/time.js";
import type { World } from "../fixtures/a-world.js";
import { PART_BYTES } from "../fixtures/an-upload-by-parts.js";
import type { HistoryProject, Requested } from "./model.js";
import { LARGE_TENANT, type Operation } from "./operations.js";
import { aSender } from "./part-operations.js";

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
    const { tenant, size, expiresAfter } = operation;
    const tenantId = `tenant ${tenant}`;
    const request = {
      tenantId,
      filename: "a.txt",
      ...(size !== null && { size }),
      ...(expiresAfter !== undefined && { expiresAfter }),
    };
    const keyExpiresAt = addMs(this.#world.deps.clock(), DAY);
    const requested = requestUpload(deps, project, request, operation.key ?? undefined);
    if (key !== null && first) {
      this.#expectRepeated(requested, { key, first, size, isByParts: false });
    }
    const upload = await this.#answerTo(requested, key);
    return this.#remember(upload, {
      single: (upload) => upload,
      parts: null,
      project,
      tenantId,
      declaredSize: size,
      key,
      keyExpiresAt,
      endsAt: this.#endOf(upload, expiresAfter),
    });
  }

  async openParts(
    deps: Deps,
    operation: Operation & { do: "open parts" },
    project: HistoryProject,
  ): Promise<Requested> {
    const isLarge = operation.tenant === LARGE_TENANT;
    const size = operation.size + (isLarge ? PART_BYTES : 0);
    const key = operation.key && `${operation.project} ${operation.tenant} ${operation.key}`;
    const first = key === null ? undefined : this.requested.findLast((requested) => requested.key === key);
    const { expiresAfter } = operation;
    const tenantId = `tenant ${operation.tenant}`;
    const request = { tenantId, filename: "a.txt", size, partSize: PART_BYTES, expiresAfter };
    const keyExpiresAt = addMs(this.#world.deps.clock(), DAY);
    const opened = openUpload(deps, project, request, operation.key ?? undefined);
    if (key !== null && first) this.#expectRepeated(opened, { key, first, size, isByParts: true });
    const parts = { sizeBytes: size, partSizeBytes: PART_BYTES, partCount: isLarge ? 2 : 1 };
    const upload = await this.#answerTo(opened, key);
    expect(upload).toMatchObject({ partSize: PART_BYTES, partCount: parts.partCount, maxBytes: size });
    return this.#remember(upload, {
      single: () => null,
      parts: aSender(parts),
      project,
      tenantId,
      declaredSize: size,
      key,
      keyExpiresAt,
      endsAt: this.#endOf(upload, expiresAfter),
    });
  }

  /** When the service deletes the file by itself. An upload ends at the same time, if not earlier. */
  #endOf(upload: { expiresAt: string }, expiresAfter: number | undefined): Date | null {
    if (expiresAfter === undefined) return null;
    const endsAt = addMs(this.#world.deps.clock(), expiresAfter * SECOND_MS);
    expect(new Date(upload.expiresAt).getTime()).toBeLessThanOrEqual(endsAt.getTime());
    return endsAt;
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
      ...rest
    }: Pick<
      Requested,
      "parts" | "project" | "tenantId" | "declaredSize" | "key" | "keyExpiresAt" | "endsAt"
    > & {
      single: (upload: Upload) => Requested["single"];
    },
  ): Requested {
    const { filePath, expiresAt, isNewTenant } = upload;
    const repeated = this.requested.find((earlier) => earlier.filePath === filePath);
    if (!repeated) {
      const mayBeGone = rest.project.deletingTenants.has(rest.tenantId);
      const requested: Requested = {
        ...rest,
        filePath,
        expiresAt,
        isNewTenant,
        single: single(upload),
        put: "none",
        putSizes: [],
        mayBeGone,
        mayBeForgotten: mayBeGone,
        isForgotten: false,
        isCancelled: false,
        deleted: null,
        held: null,
        mayBeHeld: false,
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
    const { filePath, expiresAt } = first;
    const isValid = this.#world.deps.clock() < new Date(expiresAt);
    const outcome = requested.then(
      (upload) => upload.filePath,
      (error: unknown) => (error instanceof StowageError ? error.code : "crashed"),
    );
    void outcome.then((answered) =>
      this.#history.afterStep(() => {
        const hasKeyExpired = this.#world.deps.clock() >= first.keyExpiresAt;
        if (this.#unknownKeys.has(key) || answered === "unauthorized" || hasKeyExpired) return;
        const isAnother = first.declaredSize !== size || (first.parts !== null) !== isByParts;
        if (isAnother) expect(answered).toBe("idempotency_key_reused");
        else if (isValid && !first.mayBeGone) expect(answered).toBe(filePath);
      }),
    );
  }
}
