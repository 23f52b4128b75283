import { HeadObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { Store } from "../processes/start-dev-store.js";

/*
 * HEADs alone, by the client that the service has and set up as it sets it up: nothing is recorded.
 */
export interface HeadsWanted {
  store: Store;
  keys: string[];
  atOnce: number;
}

let client: S3Client | undefined;

process.on("message", ({ store, keys, atOnce }: HeadsWanted) => {
  client ??= new S3Client({
    endpoint: store.endpoint,
    region: store.region,
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 2,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 5000, requestTimeout: 5000 },
  });
  void headAll(client, { store, keys, atOnce }).then((seconds) => process.send!({ seconds }));
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
process.send!({});

async function headAll(s3: S3Client, { store, keys, atOnce }: HeadsWanted): Promise<number> {
  const left = [...keys];
  const startedAt = performance.now();
  const work = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop())
      await s3.send(new HeadObjectCommand({ Bucket: store.bucket, Key: key }), {
        abortSignal: AbortSignal.timeout(5000),
      });
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return (performance.now() - startedAt) / 1000;
}
