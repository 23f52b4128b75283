import { createServer } from "node:http";
import { createStowage, StowageError, type ErrorCode, type Stowage } from "@stowage/server";
import { createStowageClient, IncompleteUploadError, type StoredFile } from "@stowage/server/client";
import { toExpressHandler } from "@stowage/server/express";
import { toFastifyPlugin } from "@stowage/server/fastify";
import { toHonoHandler } from "@stowage/server/hono";
import { toNextHandlers } from "@stowage/server/next";
import { toNodeHandler } from "@stowage/server/node";

const sessions = new Map<string, string>();

export const stowage: Stowage = createStowage({
  apiKey: "a key",
  baseUrl: "https://files.example.com",
  tenant: async (request) => sessions.get(request.headers.get("Cookie") ?? "") ?? null,
  timeoutMs: 5000,
  onError: (error) => console.error(error.message),
});

export const { GET, POST, OPTIONS } = toNextHandlers(stowage);
export const plugin = toFastifyPlugin(stowage);
export const answer = toHonoHandler(stowage);
export const middleware = toExpressHandler(stowage);
export const server = createServer(toNodeHandler(stowage));
export const response: Promise<Response> = stowage.handler(
  new Request("https://app.example.com/api/upload/request"),
);

export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof StowageError ? error.code : undefined;
}

const files = createStowageClient({ apiKey: "a key", baseUrl: "https://files.example.com" });

export async function uploadAll(tenantId: string, paths: string[]): Promise<StoredFile[]> {
  return Promise.all(paths.map((file) => files.upload({ tenantId, file })));
}

export async function resumeOnce(tenantId: string, file: string): Promise<StoredFile> {
  try {
    return await files.upload({
      tenantId,
      file,
      multipartFrom: "64MB",
      onOpen: ({ partCount }) => partCount,
    });
  } catch (error) {
    if (!(error instanceof IncompleteUploadError)) throw error;
    return files.upload({ tenantId, file, resume: error.filePath });
  }
}

export const allowing = createStowage({
  apiKey: "a key",
  baseUrl: "https://files.example.com",
  tenant: () => "user_ada",
  allowList: ({ tenantId, file }) => file.filename.length > tenantId.length,
  allowDownload: async ({ file }) => file.status === "stored",
  allowUsage: ({ tenantId, request }) => tenantId !== request.url,
  allowShare: ({ file }) => file.folder === "offers",
  allowVersions: ({ tenantId, file }) => file.metadata["owner"] === tenantId,
  allowDelete: false,
  allowRestore: ({ tenantId, filePath }) => filePath !== tenantId,
  allowUpdate: ({ file, change }) => change.filename !== file.filename,
  allowFolders: ({ folder }) => folder === "",
  allowFolderJobs: ({ folder, to, tenantId }) => to !== undefined && folder !== tenantId,
});

const basics = { apiKey: "a key", baseUrl: "https://files.example.com" };

export const misuses = [
  // @ts-expect-error: a stream needs its size
  () => files.upload({ tenantId: "u", file: new ReadableStream(), filename: "a" }),
  // @ts-expect-error: a part size has a unit
  () => files.upload({ tenantId: "u", file: "a", partSize: "8 megabytes" }),
  // @ts-expect-error: bytes need a filename
  () => files.upload({ tenantId: "u", file: new Uint8Array() }),
  // @ts-expect-error: the tenant option is missing
  () => createStowage(basics),
  // @ts-expect-error: a tenant is a string or null
  () => createStowage({ ...basics, tenant: () => 7 }),
  // @ts-expect-error: usage is not about a file
  () => createStowage({ ...basics, tenant: () => null, allowUsage: ({ file }) => file === undefined }),
  // @ts-expect-error: only true allows
  () => createStowage({ ...basics, tenant: () => null, allowList: () => "yes" }),
  // @ts-expect-error: unknown option
  () => createStowage({ ...basics, tenant: () => null, key: "a key" }),
];
