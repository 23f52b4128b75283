import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { composeDatabase, composeStorages, serviceLimits } from "./compose-adapters.js";
import { composeBuckets } from "./compose-storage.js";
import type { Config } from "./config.js";
import type { ImportDeps } from "./import/import-objects.js";
import { createS3Source } from "./import/s3-source.js";
import type { ObjectSource } from "./import/source.js";
import { createSupabaseSource, type SupabaseOptions } from "./import/supabase-source.js";
import { createUploadThingSource, type UploadThingOptions } from "./import/uploadthing-source.js";
import { createObjectReader } from "./object-store/object-reader.js";
import { createObjectWriter } from "./object-store/object-writer.js";
import { serverOf } from "./object-store/providers.js";
import type { S3Options } from "./object-store/s3.js";
import { createTransfer } from "./object-store/transfer.js";
import type { Project } from "./projects/find-project.js";
import type { StorageConfig } from "./settings/storage-config.js";

/*
 * Wires `stowage import`. Only this command loads it, because it loads the AWS SDK.
 */

/** Another bucket than those of the installation. */
export interface OtherBucket {
  kind: "s3";
  config: StorageConfig;
  prefix: string;
}

export type SourceOptions =
  | OtherBucket
  | ({ kind: "uploadthing" } & UploadThingOptions)
  | ({ kind: "supabase" } & SupabaseOptions);

function composeCommon(config: Config, onSending: (reason: string) => void) {
  const db = composeDatabase(config);
  const { storages, ownStorages, optionsOf, closeStorages } = composeStorages(config, db);
  const ends: (() => unknown)[] = [closeStorages];
  return {
    deps: { db, clock: () => new Date(), sleep },
    ends,
    storages,
    optionsOf,
    isOwn: ({ config: other }: OtherBucket) =>
      ownStorages.some(
        ({ address }) =>
          serverOf(address.endpoint) === serverOf(other.S3_ENDPOINT) &&
          [address.bucket, address.publicBucket].includes(other.S3_BUCKET),
      ),
    /** Copies inside of storage, where one server has both buckets. */
    openInside: (source: S3Options, target: S3Options) => {
      const transfer = createTransfer(source, target, onSending);
      ends.push(transfer.close);
      return transfer;
    },
    close: async () => {
      for (const end of ends.toReversed()) end();
      await db.close();
    },
  };
}

const idOf = ({ S3_ENDPOINT: endpoint, S3_BUCKET: bucket }: StorageConfig) =>
  `${serverOf(endpoint)}/${bucket}`;

/**
 * For `stowage import`.
 *
 * @param onSending is called if one server has both buckets and does not copy from one to the other, with the reason
 */
export function composeImportCommand(
  config: Config,
  options: SourceOptions,
  onSending: (reason: string) => void,
) {
  const common = composeCommon(config, onSending);
  const { deps, ends, close } = common;
  const openSource = async (target: S3Options): Promise<ObjectSource> => {
    if (options.kind === "uploadthing") return createUploadThingSource(options, deps);
    if (options.kind === "supabase") return createSupabaseSource(options, deps);
    const buckets = composeBuckets(options.config);
    const from = await buckets.options.private();
    return createS3Source({
      id: idOf(options.config),
      prefix: options.prefix,
      bucket: buckets.private,
      reader: createObjectReader(from),
      transfer: common.openInside(from, target),
      isOwn: common.isOwn(options),
      sleep,
    });
  };
  /** What the verbs need, for one project. */
  const open = async (project: Project): Promise<Omit<ImportDeps, "rules" | "table">> => {
    const { name, store } = await common.storages.of(project.id);
    const target = await common.optionsOf(name, "private");
    const writer = createObjectWriter(target, sleep);
    const source = await openSource(target);
    ends.push(writer.close, source.close);
    return { ...deps, ...serviceLimits(config), randomBytes, store, storage: name, source, writer };
  };
  return { deps: { db: deps.db, open }, close };
}
