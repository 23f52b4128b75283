import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import postgres from "postgres";
import { storageClient } from "../../fixtures/storage-client.js";
import type { StageServers } from "./global-setup.js";

/** A row of the service, and what lies in storage at its path. */
export interface StoredFile {
  path: string;
  filename: string;
  contentType: string;
  status: string;
  sizeBytes: number | null;
  /** Null when nothing lies there. */
  sha256: string | null;
}

export interface Ledger {
  /** Every row of one user, by name, of one name in the order of their making. */
  filesOf(user: string): Promise<StoredFile[]>;
  /** What the service counts as this user's. */
  usageOf(user: string): Promise<{ files: number; bytes: number }>;
  setQuota(user: string, bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Looks past the widget: into PostgreSQL, into storage, and at what the service counts. */
export function openLedger({ databaseUrl, storage, serviceUrl, apiKey }: StageServers): Ledger {
  const sql = postgres(databaseUrl, { max: 1 });
  const client = storageClient(storage);
  async function sha256At(path: string): Promise<string | null> {
    try {
      const object = await client.send(new GetObjectCommand({ Bucket: storage["S3_BUCKET"], Key: path }));
      return sha256(await buffer(object.Body as Readable));
    } catch (error) {
      if ((error as Error).name === "NoSuchKey") return null;
      throw error;
    }
  }
  async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${serviceUrl}/api/storage/${path}`, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }
  return {
    async filesOf(user) {
      const rows = await sql<Record<"path" | "filename" | "content_type" | "status" | "size", string>[]>`
        select f.* from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant
        where t.tenant_id = ${user} order by f.filename, f.id`;
      return Promise.all(
        rows.map(async ({ path, filename, content_type: contentType, status, size }) => ({
          path,
          filename,
          contentType,
          status,
          sizeBytes: size === null ? null : Number(size),
          sha256: await sha256At(path),
        })),
      );
    },
    async usageOf(user) {
      const usage = await call("GET", `usage/?tenant_id=${user}`);
      return { files: Number(usage["file_count"]), bytes: Number(usage["used_bytes"]) };
    },
    async setQuota(user, bytes) {
      await call("PUT", "quota/", { tenant_id: user, quota_bytes: bytes });
    },
    async close() {
      client.destroy();
      await sql.end();
    },
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
