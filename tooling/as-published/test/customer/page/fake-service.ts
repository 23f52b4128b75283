/*
 * The service and its storage as far as one page needs them, in memory.
 */
interface Kept {
  filename: string;
  contentType: string;
  bytes: Buffer | undefined;
}

const files = new Map<string, Kept>();

/** What the helper reaches in place of the service: to be given as its `fetch`. */
export function serviceAt(storageUrl: string): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const body = (await new Response(init?.body ?? null).json()) as Record<string, string>;
    if (pathname === "/api/storage/upload/") return Response.json(ticket(storageUrl, body));
    if (pathname === "/api/storage/complete/") return Response.json(record(body));
    return Response.json({ detail: "Not found" }, { status: 404 });
  };
}

function ticket(storageUrl: string, body: Record<string, string>) {
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

function record(body: Record<string, string>) {
  const path = body["file_path"] ?? "";
  const kept = files.get(path);
  return {
    file_path: path,
    tenant_id: body["tenant_id"],
    filename: kept?.filename,
    content_type: kept?.contentType,
    size: kept?.bytes?.length,
    status: "stored",
    etag: "abc",
    metadata: {},
    created_at: "2026-01-01T00:00:00.000Z",
    stored_at: "2026-01-01T00:00:01.000Z",
  };
}

/** A PUT to storage. */
export function store(path: string, bytes: Buffer): void {
  const kept = files.get(path);
  if (kept !== undefined) kept.bytes = bytes;
}

/** Every file that was ever asked for, with what arrived of it. */
export function everythingKept() {
  return Array.from(files.values(), ({ filename, bytes }) => ({ filename, text: bytes?.toString() ?? null }));
}
