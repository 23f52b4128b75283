import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { handle } from "./http/handle.js";
import { createHttpServer } from "./http/server.js";
import { createNotifier, type NotifyOptions } from "./notify/notifier.js";
import type { BucketDemands } from "./operations/operation.js";
import { requireBucketName } from "./storage/bucket-name.js";
import type { Session } from "./sigv4/authenticate.js";
import { openStorage, type Storage, type StorageListeners } from "./storage/storage.js";

/** Where the store listens, where it keeps its files, and which keys it accepts. */
export interface DevStoreOptions {
  /** The data folder, created if missing. Only one store may have it open. */
  dir: string;
  /** @default "127.0.0.1" */
  host?: string;
  /** @default 0, which takes a free port */
  port?: number;
  accessKeyId: string;
  secretAccessKey: string;
  /** Finds temporary keys, which are accepted beside the static ones. @default none */
  findSession?: (accessKeyId: string) => Session | undefined;
  /** @default "us-east-1" */
  region?: string;
  /** Created if missing. */
  buckets?: string[];
  /** Created if missing. Everyone can read their objects without a signature, but not list or write them. */
  publicBuckets?: string[];
  /** What buckets demand of each PUT, by their name. @default nothing */
  demands?: Readonly<Record<string, BucketDemands>>;
  /**
   * `virtual`: the host has to name the bucket, as in Alibaba's store. A bucket in the path is refused.
   *
   * @default "any"
   */
  addressing?: "any" | "virtual";
  /** The receiver of a notification for each object that is written or removed; see README.md. */
  notify?: NotifyOptions | undefined;
  /** The clock. Tests pass their own. */
  now?: () => Date;
  /** Called with internal failures. Refused requests are not reported. */
  onError?: (error: unknown) => void;
}

/** A running store. */
export interface DevStore {
  /** `http://127.0.0.1:4001` */
  readonly endpoint: string;
  readonly port: number;
  /** Lets running requests finish for up to 3 seconds, then closes the connections; drops undelivered events after 1 second. */
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 3000;

/**
 * Starts an S3-protocol endpoint over a local folder.
 *
 * ```ts
 * const store = await startDevStore({ dir: ".data/s3", accessKeyId: "dev", secretAccessKey: "…", buckets: ["files"] });
 * ```
 *
 * @throws the listen error unchanged, such as EADDRINUSE; S3Error InvalidBucketName
 */
export async function startDevStore(options: DevStoreOptions): Promise<DevStore> {
  const { dir, host = "127.0.0.1", port = 0, now = () => new Date(), onError = () => {} } = options;
  const { accessKeyId, secretAccessKey, findSession, region = "us-east-1", publicBuckets = [] } = options;
  const buckets = [...(options.buckets ?? []), ...publicBuckets];
  buckets.forEach(requireBucketName);
  const takesPaths = options.addressing !== "virtual";
  const demands = new Map(Object.entries(options.demands ?? {}));
  const notifier = options.notify && createNotifier(options.notify, { region, now, onError });

  let open: Promise<Storage>;
  const { server, stop } = createHttpServer(async (message, response) => {
    const storage = await open.catch(() => undefined);
    if (!storage) return void response.destroy();
    const credentials = { accessKeyId, secretAccessKey, findSession, region };
    const deps = {
      storage,
      credentials,
      publicBuckets: new Set(publicBuckets),
      demands,
      takesPaths,
      now,
      onError,
    };
    await handle(deps, message, response);
  });
  // Listen before opening the folder: a second store on the same port must fail before it deletes the first one's incoming files.
  server.listen(port, host);
  open = once(server, "listening").then(() =>
    openWithBuckets(dir, buckets, { now, onError, onChange: (change) => notifier?.notify(change) }),
  );
  try {
    await open;
  } catch (error) {
    if (server.listening) await stop(0);
    throw error;
  }
  server.on("error", onError);
  const address = server.address() as AddressInfo; // a listening TCP server always has one
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    endpoint: `http://${name}:${address.port}`,
    port: address.port,
    stop: async () => {
      await stop(STOP_GRACE_MS);
      await notifier?.stop();
    },
  };
}

async function openWithBuckets(
  dir: string,
  buckets: readonly string[],
  { now, ...listeners }: { now: () => Date } & StorageListeners,
): Promise<Storage> {
  const storage = await openStorage(dir, listeners);
  for (const name of buckets) await storage.createBucket(name, now());
  return storage;
}
