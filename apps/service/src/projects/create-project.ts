import { limits } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import { generateApiKey, keepApiKey } from "./api-key.js";

export interface ProjectDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
}

export interface NewProject {
  name: string;
  /** Bytes each tenant may use; null or not given for the service's default. */
  defaultQuotaBytes?: number | null;
  /** Bytes; by default S3's own limit for one PUT. */
  maxFileBytes?: number;
  requireSize?: boolean;
}

/** The only sight of the raw key: it is kept nowhere. */
export interface ProjectWithKey {
  ref: string;
  name: string;
  apiKey: string;
}

/** @throws {StowageError} `unavailable` */
export async function createProject(deps: ProjectDeps, input: NewProject): Promise<ProjectWithKey> {
  const apiKey = generateApiKey(deps.randomBytes);
  const ref = randomRef(deps.randomBytes);
  const now = deps.clock();
  await deps.db.run((db) =>
    db.insert(projects).values({
      ref,
      name: input.name,
      ...keepApiKey(apiKey),
      defaultQuotaBytes: input.defaultQuotaBytes ?? null,
      maxFileBytes: input.maxFileBytes ?? limits.fileSizeBytes,
      requireSize: input.requireSize ?? false,
      createdAt: now,
      keyCreatedAt: now,
    }),
  );
  return { ref, name: input.name, apiKey };
}
