import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { composeDatabase, composeStorages, serviceLimits } from "./compose-adapters.js";
import { composeBuckets } from "./compose-storage.js";
import type { Config } from "./config.js";
import type { ExportDeps } from "./export/export-project.js";
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
 * Wires `stowage import` and `stowage export`. Only these commands load it, because it loads the AWS SDK.
 */

/** Another bucket than those of the installation. */
export interface OtherBucket {
  kind: "s3";
  config: StorageConfig;
  prefix: string;
}

export type SourceOptions =
  OtherBucket | ({ kind: "uploadthing" } & UploadThingOptions) | ({ kind: "supabase" } & SupabaseOptions);

/** What both commands have. */
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

/** For `stowage export`. @param onSending as for {@link composeImportCommand} */
export function composeExportCommand(
  config: Config,
  target: OtherBucket,
  onSending: (reason: string) => void,
) {
  const common = composeCommon(config, onSending);
  const { deps, ends, close } = common;
  const open = async (project: Project): Promise<Omit<ExportDeps, "table">> => {
    const { name, store } = await common.storages.of(project.id);
    const to = await composeBuckets(target.config).options.private();
    const head = createObjectReader(to);
    const writer = createObjectWriter(to, sleep);
    ends.push(head.close, writer.close);
    const openSource = async (place: "private" | "public") => {
      const from = await common.optionsOf(name, place);
      const bucket = { list: store.list, close: () => undefined };
      const reader = createObjectReader(from);
      const source = createS3Source({
        id: place,
        prefix: "",
        isOwn: false,
        sleep,
        bucket,
        reader,
        transfer: common.openInside(from, to),
      });
      ends.push(source.close);
      return source;
    };
    return {
      ...deps,
      storage: name,
      sources: {
        private: await openSource("private"),
        public: store.published && (await openSource("public")),
      },
      target: { id: idOf(target.config), prefix: target.prefix, writer, head: head.describe },
    };
  };
  return { deps: { db: deps.db, isOwn: common.isOwn(target), open }, close };
}
