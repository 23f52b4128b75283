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
 * nothing but call storage: no database, no quota.
 */
interface Call {
  key: string;
  uploadId: string;
  partNumber: number;
  parts: { PartNumber: number; ETag: string }[];
}

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
    return { url: await getSignedUrl(seenByBrowsers, part, { expiresIn: 3600 }) };
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
