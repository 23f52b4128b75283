import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { createPresigner, type PresignerOptions } from "@stowage/service/object-store/presign";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import type { Row } from "../row.js";

const ROUNDS = 15;
const URLS = 500;

const where = {
  endpoint: "http://127.0.0.1:9000",
  region: "us-east-1",
  credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
};
const bucket = "bench";
const contentType = "image/jpeg";
const sizeBytes = 1000;
const expiresInSeconds = 3600;
const keyId = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

const credentials = { ...where.credentials, sessionToken: "IQoJb3JpZ2luX2VjE/+".repeat(58) };
const MORE = [
  "the headers of AES256",
  "the headers of aws:kms",
  "a session token of 1,100 characters",
] as const;

/** One presigned PUT with the same signature. */
export const signingRow: Row = {
  name: "signing",
  async run({ atEnd, say }) {
    const signerWith = (more: Partial<PresignerOptions> = {}) => {
      const { presignPut } = createPresigner({ ...where, bucket, ...more });
      return (path: string, signedAt: Date) =>
        presignPut({ path, contentType, sizeBytes, contentMd5: undefined, signedAt, expiresInSeconds });
    };
    const ours = signerWith();
    const client = new S3Client({
      ...where,
      forcePathStyle: true,
      requestChecksumCalculation: "WHEN_REQUIRED",
    });
    atEnd(async () => client.destroy());
    const headers = new Set(["host", "content-type", "content-length"]);
    const sdks = (Key: string, signingDate: Date) =>
      getSignedUrl(
        client,
        new PutObjectCommand({ Bucket: bucket, Key, ContentType: contentType, ContentLength: sizeBytes }),
        { signingDate, expiresIn: expiresInSeconds, signableHeaders: headers, unhoistableHeaders: headers },
      );
    const at = new Date();
    const [one, other] = await Promise.all([ours(pathOf(0), at), sdks(pathOf(0), at)]);
    if (signatureOf(one) !== signatureOf(other)) throw new Error("The two signatures differ.");

    const microsOf = (sign: typeof ours) => async () => {
      const startedAt = performance.now();
      for (let i = 0; i < URLS; i++) await sign(pathOf(i), new Date());
      return ((performance.now() - startedAt) * 1000) / URLS;
    };
    const micros = await takeTurns(
      {
        ours: microsOf(ours),
        sdks: microsOf(sdks),
        "the headers of AES256": microsOf(signerWith({ encryption: { algorithm: "AES256" } })),
        "the headers of aws:kms": microsOf(signerWith({ encryption: { algorithm: "aws:kms", keyId } })),
        "a session token of 1,100 characters": microsOf(signerWith({ credentials })),
      },
      { rounds: ROUNDS, warmUps: 4 },
    );
    const details = `${summarise(micros.ours).median.toFixed(1)} µs against ${summarise(micros.sdks).median.toFixed(0)} µs each`;
    say(details);
    return [
      {
        measured: "signing one PUT URL, times as fast",
        against: "the SDK's `getSignedUrl`, same signature",
        ratio: summarise(ratios(micros.sdks, micros.ours)),
        target: { atLeast: 20 },
        details,
      },
      ...MORE.map((name) => ({
        measured: `signing one PUT URL with ${name}`,
        against: "without",
        ratio: summarise(ratios(micros[name], micros.ours)),
        target: { atMost: 1.05 },
        details: `${summarise(micros[name]).median.toFixed(1)} µs each`,
      })),
    ];
  },
};

const pathOf = (n: number) =>
  `projects/8fQ2bLw0Zk3xV7cR1mN5tA/tenants/3hY6dPq9Ls2uJ4wE8gK0vB/7rT1nXz5Ca9iF3oM6yH2kD_photo ${n}.jpg`;

const signatureOf = (url: string) => new URL(url).searchParams.get("X-Amz-Signature");
