import type { MadeProject } from "./a-dashboard.js";

/** What a customer's backend asks for, and the bytes that its user sends. */
export interface Upload {
  filename: string;
  bytes?: Uint8Array | string;
  tenantId?: string;
  contentType?: string;
  metadata?: Record<string, string>;
}

/** A file as a customer's backend and browser leave it: over the REST API with the project's key, and a PUT to storage. */
export function uploadsTo(url: string, project: MadeProject) {
  async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${url}/api/storage/${path}`, {
      method,
      headers: { Authorization: `Bearer ${project.apiKey}`, "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(15_000),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }

  /** Asks for an upload, and answers how to send it. */
  async function ask({ filename, bytes = "", tenantId = "user_1", contentType, metadata }: Upload) {
    const body = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    const asked = await call("POST", "upload/", {
      filename,
      tenant_id: tenantId,
      size: body.length,
      ...(contentType ? { content_type: contentType } : {}),
      ...(metadata ? { metadata } : {}),
    });
    return {
      path: asked["file_path"] as string,
      async send(): Promise<void> {
        const put = await fetch(asked["presigned_url"] as string, {
          method: "PUT",
          headers: asked["headers"] as Record<string, string>,
          body: body as Uint8Array<ArrayBuffer>,
          signal: AbortSignal.timeout(15_000),
        });
        if (!put.ok) throw new Error(`PUT: ${await put.text()}`);
        await call("POST", "complete/", { file_path: asked["file_path"] });
      },
    };
  }

  return {
    ask,
    /** Asks for an upload, sends it, and answers its path. */
    async store(upload: Upload): Promise<string> {
      const asked = await ask(upload);
      await asked.send();
      return asked.path;
    },
    /** What the service counts as this tenant's. */
    async usageOf(tenantId: string): Promise<{ files: number; bytes: number }> {
      const usage = await call("GET", `usage/?tenant_id=${encodeURIComponent(tenantId)}`);
      return { files: Number(usage["file_count"]), bytes: Number(usage["used_bytes"]) };
    },
    /** Deletes over the REST API, as a customer does. */
    async remove(path: string): Promise<void> {
      await call("POST", "delete/", { file_path: path });
    },
  };
}
