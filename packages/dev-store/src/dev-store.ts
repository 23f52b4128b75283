import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { handle } from "./http/handle.js";
import { createHttpServer } from "./http/server.js";
import { createNotifier, type NotifyOptions } from "./notify/notifier.js";
import { requireBucketName } from "./storage/bucket-name.js";
import { openStorage, type Storage, type StorageListeners } from "./storage/storage.js";

export interface DevStoreOptions {
  /** Where everything is kept; made when missing. One store at a time may have it open. */
  dir: string;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: a free one. */
  port?: number;
  accessKeyId: string;
  secretAccessKey: string;
  /** Default us-east-1. */
  region?: string;
  /** Created when missing. */
  buckets?: string[];
  /** Who is told of every object that is written or removed; see README.md. */
  notify?: NotifyOptions | undefined;
  /** The clock, for tests. */
  now?: () => Date;
  /** Hears of failures that are the store's own, never of a refusal. */
  onError?: (error: unknown) => void;
}

export interface DevStore {
  /** `http://127.0.0.1:4001` */
  readonly endpoint: string;
  readonly port: number;
  /** Finishes requests under way within a few seconds, then cuts; gives up events that wait within a second. */
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
 * @throws the listen error as it is, such as EADDRINUSE; S3Error InvalidBucketName
 */
export async function startDevStore(options: DevStoreOptions): Promise<DevStore> {
  const { dir, host = "127.0.0.1", port = 0, now = () => new Date(), onError = () => {} } = options;
  const { accessKeyId, secretAccessKey, region = "us-east-1", buckets = [] } = options;
  buckets.forEach(requireBucketName);
  const notifier = options.notify && createNotifier(options.notify, { region, now, onError });

  let open: Promise<Storage>;
  const { server, stop } = createHttpServer(async (message, response) => {
    const storage = await open.catch(() => undefined);
    if (!storage) return void response.destroy();
    await handle(
      { storage, credentials: { accessKeyId, secretAccessKey, region }, now, onError },
      message,
      response,
    );
  });
  // The port comes first: a second store on the same one fails here, before it clears the first one's files.
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
  const address = server.address() as AddressInfo; // a TCP server that is listening has no other kind
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
