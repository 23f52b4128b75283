import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Shaped like a key, and a secret of no one. */
export const API_KEY = `stow_live_${"Zq9".repeat(16)}x`;

/**
 * The Stowage service at its wire: real HTTP on a free port. `calls` is all that reached it; it can be told to refuse.
 */
export async function aService() {
  const calls: { target: string; authorization: string | undefined; body: Record<string, unknown> }[] = [];
  const state = {
    refusal: undefined as { status: number; detail: string } | undefined,
    /** Of the one file that there is. */
    metadata: {} as Record<string, string>,
    /** Files like it, stored before it. */
    olderPaths: [] as string[],
  };
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const text = Buffer.concat(chunks as Buffer[]).toString("utf8");
      const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
      const target = request.url ?? "";
      calls.push({ target, authorization: request.headers.authorization, body });
      response.setHeader("Content-Type", "application/json");
      response.statusCode = state.refusal?.status ?? 200;
      const answer = state.refusal ? { detail: state.refusal.detail } : answerTo(target, body, state);
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    state,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(
  target: string,
  body: Record<string, unknown>,
  { metadata, olderPaths }: { metadata: Record<string, string>; olderPaths: string[] },
): object {
  const { pathname, searchParams } = new URL(target, "http://service");
  const tenantId = body["tenant_id"] ?? searchParams.get("tenant_id");
  const file = { ...aFileOf(tenantId), metadata };
  switch (pathname.split("/")[3]) {
    case "upload":
      return anUploadAnswer(tenantId);
    case "download":
      return {
        ...file,
        presigned_url: "https://storage.example/key?X-Amz-Signature=abc",
        expires_at: file.created_at,
      };
    case "delete":
      return { deleted: [body["file_paths"] ?? body["file_path"]].flat(), not_found: [] };
    case "files":
      return { files: [file, ...olderPaths.map((file_path) => ({ ...file, file_path }))], next_cursor: null };
    default:
      return file;
  }
}

const anUploadAnswer = (tenantId: unknown) => ({
  presigned_url: "https://storage.example/key?X-Amz-Signature=abc",
  file_path: "projects/p/tenants/t/1_notes.txt",
  tenant_id: tenantId,
  is_new_tenant: false,
  content_type: "text/plain",
  headers: { "Content-Type": "text/plain" },
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  max_bytes: 1000,
});

const aFileOf = (tenantId: unknown) => ({
  file_path: "projects/p/tenants/t/1_notes.txt",
  tenant_id: tenantId,
  filename: `notes of ${String(tenantId)}.txt`,
  content_type: "text/plain",
  size: 12,
  status: "stored",
  etag: null,
  metadata: {},
  created_at: "2026-01-01T00:00:00.000Z",
  stored_at: "2026-01-01T00:00:01.000Z",
});
