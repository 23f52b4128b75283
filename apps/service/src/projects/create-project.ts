import { limits } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import { generateApiKey, toStoredApiKey } from "./api-key.js";

export interface ProjectDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
}

export interface NewProject {
  name: string;
  /** The project's part of its files' paths, for a project that a restored database lacks. @default 128 random bits */
  ref?: string;
  /** The quota of each tenant in bytes. @default null, which means the service's default */
  defaultQuotaBytes?: number | null;
  /** The largest file in bytes. @default S3's limit for one PUT */
  maxFileBytes?: number;
  requireSize?: boolean;
  /** Whether a file stays that is found larger than the free quota. @default false */
  allowOverQuota?: boolean;
  /** How many days a deleted file stays in the trash. @default 0, which means that it is removed at once. Interfaces create projects with `limits.newProjectTrashDays` */
  trashDays?: number;
  /** How many replaced files are kept of each file as its versions. More than 0 needs a trash. @default 0 */
  maxVersions?: number;
  /** Its storage, by the name in STORAGES_FILE. @default null, which means the default storage */
  storage?: string | null;
}

/** The only place where the raw key appears: it is not stored. */
export interface ProjectWithKey {
  ref: string;
  name: string;
  apiKey: string;
}

/**
 * Creates a project and its API key.
 *
 * @throws {StowageError} `unavailable`
 */
export async function createProject(deps: ProjectDeps, input: NewProject): Promise<ProjectWithKey> {
  const apiKey = generateApiKey(deps.randomBytes);
  const ref = input.ref ?? randomRef(deps.randomBytes);
  const now = deps.clock();
  await deps.db.run((db) =>
    db.insert(projects).values({
      ref,
      name: input.name,
      ...toStoredApiKey(apiKey),
      defaultQuotaBytes: input.defaultQuotaBytes ?? null,
      maxFileBytes: input.maxFileBytes ?? limits.fileSizeBytes,
      requireSize: input.requireSize ?? false,
      allowOverQuota: input.allowOverQuota ?? false,
      trashDays: input.trashDays ?? 0,
      maxVersions: input.maxVersions ?? 0,
      storage: input.storage ?? null,
      createdAt: now,
      keyCreatedAt: now,
    }),
  );
  return { ref, name: input.name, apiKey };
}
