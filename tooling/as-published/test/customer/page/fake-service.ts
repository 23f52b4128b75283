/** A file of the service and storage, which this module replaces in memory. */
interface FakeFile {
  filename: string;
  contentType: string;
  bytes: Buffer | undefined;
}

const files = new Map<string, FakeFile>();

/** Returns a `fetch` for the helper that answers as the service does. */
export function fakeServiceFetch(storageUrl: string): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const body = (await new Response(init?.body ?? null).json()) as Record<string, string>;
    if (pathname === "/api/storage/upload/") return Response.json(requestUpload(storageUrl, body));
    if (pathname === "/api/storage/complete/") return Response.json(completeUpload(body));
    return Response.json({ detail: "Not found" }, { status: 404 });
  };
}

function requestUpload(storageUrl: string, body: Record<string, string>) {
  const path = `files/${files.size + 1}`;
  const contentType = body["content_type"] ?? "application/octet-stream";
  files.set(path, { filename: body["filename"] ?? "", contentType, bytes: undefined });
  return {
    presigned_url: `${storageUrl}/${path}`,
    file_path: path,
    tenant_id: body["tenant_id"],
    is_new_tenant: false,
    content_type: contentType,
    headers: { "Content-Type": contentType },
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    max_bytes: body["size"] ?? 1_000_000,
  };
}

function completeUpload(body: Record<string, string>) {
  const path = body["file_path"] ?? "";
  const file = files.get(path);
  return {
    file_path: path,
    tenant_id: body["tenant_id"],
    filename: file?.filename,
    content_type: file?.contentType,
    size: file?.bytes?.length,
    status: "stored",
    etag: "abc",
    metadata: {},
    folder: "",
    created_at: "2026-01-01T00:00:00.000Z",
    stored_at: "2026-01-01T00:00:01.000Z",
  };
}

/** Stores the bytes of a PUT. */
export function storeBytes(path: string, bytes: Buffer): void {
  const file = files.get(path);
  if (file !== undefined) file.bytes = bytes;
}

/** All requested files, with the text that arrived; null if nothing arrived. */
export function allFiles() {
  return Array.from(files.values(), ({ filename, bytes }) => ({ filename, text: bytes?.toString() ?? null }));
}
