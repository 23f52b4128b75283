import { StowageError } from "@stowage/schemas";
import { expect } from "vitest";
import { createDownload } from "#deliver/create-download.js";
import type { FileRecord } from "#files/record/file-record.js";
import { findFile } from "#files/record/find-file.js";
import type { RequestedUpload } from "#files/upload/request-upload.js";
import type { World } from "../fixtures/a-world.js";
import { findMissingTasks } from "../fixtures/missing-tasks.js";
import type { KeepingCdn } from "./visibility-troubles.js";

/*
 * What a stranger and a customer can read, against what the API answers. After each step:
 * - a file that the API calls private, and a file whose delete was answered, is not read without a signature, and neither are its variants:
 *   not from the bucket, and not from a CDN that keeps everything
 * - a public_url, of a file or of a variant, reads its bytes
 * - a stored file, and its variant that is ready, can be downloaded with a signed URL
 *
 * At the end, when everything has ended:
 * - strangers read exactly what has a public_url
 * - a public file has no object in the private bucket, and its variants are public
 * - a deleted file has no object in any bucket, and no variant has one
 */

export const PRESET = "thumb";

/** What a history knows about a file. */
export interface Known extends RequestedUpload {
  urlExpiresAt: Date;
  /** What the object may have: the first bytes, and those of replays. */
  bytes: Buffer[];
  /** Whether a call has answered that the file was deleted for good. */
  isGone: boolean;
  /** It is gone, and storage or the CDN did not answer the delete, or a copy can still land. */
  mayBeReadUntilTheEnd: boolean;
  /** The paths of all its variants that ever were. */
  variants: Set<string>;
}

export class VisibilityChecks {
  private readonly world: World;
  private readonly cdn: KeepingCdn;
  private readonly project: Awaited<ReturnType<World["project"]>>;
  private readonly files: Known[];

  constructor(
    { world, cdn }: { world: World; cdn: KeepingCdn },
    project: Awaited<ReturnType<World["project"]>>,
    files: Known[],
  ) {
    this.world = world;
    this.cdn = cdn;
    this.project = project;
    this.files = files;
  }

  async afterStep(): Promise<void> {
    expect(await findMissingTasks(this.world, [this.project.id])).toEqual([]);
    await this.noteVariants();
    for (const file of this.files) {
      const record = await this.recordOf(file);
      const isHidden = record ? record.visibility === undefined : file.isGone && !file.mayBeReadUntilTheEnd;
      const read = await this.readByStrangers(file);
      if (isHidden) expect(read).toEqual([]);
      if (record) await this.checkDownloads(file, record);
    }
  }

  async atRest(): Promise<void> {
    await this.afterStep();
    for (const file of this.files) {
      const record = await this.recordOf(file);
      const isShown = record?.publicUrl !== undefined;
      const variants = isShown ? await this.readyVariantsOf(file) : [];
      const expected = isShown ? [file.filePath, ...variants] : [];
      expect((await this.readByStrangers(file)).toSorted()).toEqual(expected.toSorted());
      const { store } = this.world.deps;
      if (isShown) expect(await store.head(file.filePath)).toBeNull();
      if (record?.status === "stored" && record.scanStatus !== "infected")
        expect(isShown).toBe(record.visibility === "public");
      if (record || (await this.isInTrash(file))) continue;
      for (const path of [file.filePath, ...file.variants]) expect(await store.head(path)).toBeNull();
    }
  }

  /** A customer can download the file and its variant, and everyone can read their public URLs. */
  private async checkDownloads({ filePath, bytes }: Known, record: FileRecord): Promise<void> {
    if (record.publicUrl !== undefined) expect(bytes).toContainEqual(await read(record.publicUrl));
    if (record.status !== "stored" || record.scanStatus === "infected") return;
    const download = await this.download(filePath);
    if (typeof download === "string") throw new Error(download);
    expect(bytes).toContainEqual(await read(download.presignedUrl));
    const variant = await this.download(filePath, PRESET);
    if (typeof variant === "string") return;
    expect(await statusOf(variant.presignedUrl)).toBe(200);
    if (variant.publicUrl !== undefined) expect(await statusOf(variant.publicUrl)).toBe(200);
  }

  private recordOf({ filePath }: Known): Promise<FileRecord | null> {
    return findFile(this.world.deps, this.project, { filePath }).catch((error: unknown) => {
      if (error instanceof StowageError && error.code === "file_not_found") return null;
      throw error;
    });
  }

  /** What is read without a signature of the file and all variants that it ever had: from the bucket, or because the CDN has kept it. */
  private async readByStrangers({ filePath, variants }: Known): Promise<string[]> {
    const found: string[] = [];
    for (const path of [filePath, ...variants]) {
      const url = this.world.deps.store.published!.urlOf(path);
      if ((await statusOf(url)) === 200) this.cdn.kept.add(url);
      if (this.cdn.kept.has(url)) found.push(path);
    }
    return found;
  }

  private async noteVariants(): Promise<void> {
    for (const file of this.files)
      for (const { path } of await this.variantRowsOf(file)) file.variants.add(path);
  }

  private async readyVariantsOf(file: Known): Promise<string[]> {
    const rows = await this.variantRowsOf(file);
    return rows.filter(({ status }) => status === "ready").map(({ path }) => path);
  }

  private variantRowsOf({ filePath }: Known) {
    return this.world.rows<{ path: string; status: string }>(
      `select v.path, v.status from file_variants v
       join files f on f.project_id = v.project_id and f.id = v.file_id where f.project_id = $1 and f.path = $2`,
      [this.project.id, filePath],
    );
  }

  /** A file in the trash keeps its object and variants for its restore. */
  private async isInTrash({ filePath }: Known): Promise<boolean> {
    const rows = await this.world.rows("select from files where path = $1", [filePath]);
    return rows.length > 0;
  }

  private async download(filePath: string, variant?: string) {
    try {
      return await createDownload(this.reading(), this.project, { filePath, ...(variant && { variant }) });
    } catch (error) {
      if (error instanceof StowageError) return error.code;
      throw error;
    }
  }

  /** A test cannot advance storage's clock, so URLs are signed for the real time. */
  private reading() {
    const { store } = this.world.deps;
    const published = store.published!;
    type Options = Parameters<typeof store.presignGet>[0];
    const now = (options: Options) => ({ ...options, signedAt: new Date() });
    const presigning = {
      ...store,
      presignGet: (options: Options) => store.presignGet(now(options)),
      published: { ...published, presignGet: (options: Options) => published.presignGet(now(options)) },
    };
    return { ...this.world.deps, store: presigning, settling: this.world.deps };
  }
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

async function read(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}
