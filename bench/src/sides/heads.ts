import { HeadObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { createHeads } from "@stowage/service/object-store/heads";
import type { Store } from "../processes/start-dev-store.js";

/*
 * HEADs alone, and nothing is recorded: by the client that the service has, or by the SDK's, set up as the service sets it up for its
 * other calls.
 */
export interface HeadsWanted {
  by: "service" | "sdk";
  store: Store;
  keys: string[];
  atOnce: number;
}

type Head = (key: string) => Promise<unknown>;

const TIMEOUT_MS = 5000;
const clients = new Map<HeadsWanted["by"], Head>();

process.on("message", (wanted: HeadsWanted) => {
  const head = clients.get(wanted.by) ?? (wanted.by === "sdk" ? sdk : service)(wanted.store);
  clients.set(wanted.by, head);
  void headAll(head, wanted).then((seconds) => process.send!({ seconds }));
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
process.send!({});

function service({ endpoint, region, bucket, accessKeyId, secretAccessKey }: Store): Head {
  const heads = createHeads({ endpoint, region, bucket, credentials: { accessKeyId, secretAccessKey } });
  return (key) => heads.head(key, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) });
}

function sdk({ endpoint, region, bucket, accessKeyId, secretAccessKey }: Store): Head {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 2,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS },
  });
  return (key) =>
    client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), {
      abortSignal: AbortSignal.timeout(TIMEOUT_MS),
    });
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
