import { createObjectClient } from "@stowage/service/object-store/object-client";
import type { Store } from "../processes/start-dev-store.js";

/** HEADs by the service's client, without recording anything. */
export interface HeadsWanted {
  store: Store;
  keys: string[];
  atOnce: number;
}

type Head = (key: string) => Promise<unknown>;

const TIMEOUT_MS = 5000;
let kept: Head | undefined;

process.on("message", (wanted: HeadsWanted) => {
  kept ??= headOf(wanted.store);
  void headAll(kept, wanted).then((seconds) => process.send!({ seconds }));
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
process.send!({});

function headOf({ endpoint, region, bucket, accessKeyId, secretAccessKey }: Store): Head {
  const credentials = { accessKeyId, secretAccessKey };
  return createObjectClient({ endpoint, region, bucket, credentials, timeoutMs: TIMEOUT_MS }).head;
}

async function headAll(head: Head, { keys, atOnce }: HeadsWanted): Promise<number> {
  const left = [...keys];
  const startedAt = performance.now();
  const work = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) await head(key);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return (performance.now() - startedAt) / 1000;
}
