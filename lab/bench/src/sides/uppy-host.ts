import { createServer, type IncomingMessage } from "node:http";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { listen } from "./listen.js";
import { sendFile } from "./send-file.js";

/*
 * A customer's app with Uppy: the page, built into `PAGE_DIR`, and the smallest backend that Uppy's documentation asks for. It does
 * nothing but sign and call storage: no database, no quota. Uppy 6 asks for signatures only, and its page calls storage for the rest.
 */
interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  key: string;
  uploadId: string;
  partNumber: number;
  parts: { PartNumber: number; ETag: string }[];
}

const URL_LIFE = { expiresIn: 3600 };
const Bucket = process.env["S3_BUCKET"]!;
const storage = clientOf(process.env["S3_ENDPOINT"]!);
const seenByBrowsers = clientOf(process.env["S3_PUBLIC_ENDPOINT"]!);

const calls: Record<string, (call: Call) => Promise<unknown>> = {
  async create({ key }) {
    const { UploadId } = await storage.send(new CreateMultipartUploadCommand({ Bucket, Key: key }));
    return { key, uploadId: UploadId };
  },
  async sign({ key, uploadId, partNumber }) {
    const part = new UploadPartCommand({ Bucket, Key: key, UploadId: uploadId, PartNumber: partNumber });
    return { url: await getSignedUrl(seenByBrowsers, part, URL_LIFE) };
  },
  async "sign-request"(call) {
    return { url: await signedUrl(call) };
  },
  async list({ key, uploadId }) {
    const { Parts } = await storage.send(new ListPartsCommand({ Bucket, Key: key, UploadId: uploadId }));
    return Parts ?? [];
  },
  async complete({ key, uploadId, parts }) {
    await storage.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key: key,
        UploadId: uploadId,
        MultipartUpload: { Parts: parts },
      }),
    );
    return {};
  },
  async abort({ key, uploadId }) {
    await storage.send(new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: uploadId }));
    return {};
  },
};

listen(
  createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost");
    const call = calls[pathname.slice("/api/".length)];
    if (!pathname.startsWith("/api/") || !call) return sendFile(pathname, response);
    try {
      const answer = await call(JSON.parse(await bodyOf(request)) as Call);
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    } catch {
      response.writeHead(500).end();
    }
  }),
);

/** What Uppy 6 wants to send: https://uppy.io/docs/aws-s3/#signrequestrequest */
function signedUrl({ method, key: Key, uploadId: UploadId, partNumber: PartNumber }: Call): Promise<string> {
  const upload = { Bucket, Key, UploadId };
  if (method === "PUT")
    return getSignedUrl(seenByBrowsers, new UploadPartCommand({ ...upload, PartNumber }), URL_LIFE);
  if (method === "GET") return getSignedUrl(seenByBrowsers, new ListPartsCommand(upload), URL_LIFE);
  if (method === "DELETE")
    return getSignedUrl(seenByBrowsers, new AbortMultipartUploadCommand(upload), URL_LIFE);
  return UploadId === undefined
    ? getSignedUrl(seenByBrowsers, new CreateMultipartUploadCommand({ Bucket, Key }), URL_LIFE)
    : getSignedUrl(seenByBrowsers, new CompleteMultipartUploadCommand(upload), URL_LIFE);
}

function clientOf(endpoint: string): S3Client {
  return new S3Client({
    endpoint,
    region: process.env["S3_REGION"]!,
    forcePathStyle: true,
    credentials: {
      accessKeyId: process.env["S3_ACCESS_KEY_ID"]!,
      secretAccessKey: process.env["S3_SECRET_ACCESS_KEY"]!,
    },
    // Otherwise a presigned URL would require the checksum of an empty body.
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  return body;
}
