/** The JSON object of a request or a response. */
export type Members = Record<string, unknown>;

/** What the fake answers to a call. */
export interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

export function anUploadAnswer(body: Members) {
  const contentType = body["content_type"] ?? "text/plain";
  const path = `projects/p/tenants/t/${body["replaces"] === undefined ? 1 : 2}_file`;
  return {
    presigned_url: `https://storage.example/bucket/${path}?X-Amz-Signature=abc`,
    file_path: path,
    tenant_id: body["tenant_id"],
    is_new_tenant: true,
    content_type: contentType,
    headers: { "Content-Type": contentType },
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    max_bytes: body["size"] ?? 1_000_000,
  };
}

export type FileAnswer = ReturnType<typeof aFileAnswer>;

export function aFileAnswer(body: Members) {
  return {
    file_path: body["file_path"],
    tenant_id: body["tenant_id"],
    filename: "notes.txt",
    content_type: "text/plain",
    size: 12,
    status: "stored",
    etag: "abc",
    metadata: {} as unknown,
    folder: "" as unknown,
    created_at: "2026-01-01T00:00:00.000Z",
    stored_at: "2026-01-01T00:00:01.000Z",
    scan_status: "none",
  };
}

export function aDownloadAnswer(file: FileAnswer) {
  return {
    presigned_url: "https://storage.example/bucket/projects/p/tenants/t/1_file?X-Amz-Signature=def",
    file_path: file.file_path,
    filename: file.filename,
    content_type: file.content_type,
    size: file.size,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  };
}

/** A refusal of the catalogue. */
export function aRefusal(status: number, code: string, detail: string): Answer {
  return { status, body: { detail }, headers: { "X-Error-Code": code } };
}
