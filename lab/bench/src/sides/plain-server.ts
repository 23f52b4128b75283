import { createHash, randomBytes } from "node:crypto";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { initTRPC, TRPCError } from "@trpc/server";
import { createHTTPServer } from "@trpc/server/adapters/standalone";
import { eq, sql } from "drizzle-orm";
import { bigint, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as z from "zod";
import { listen } from "./listen.js";

/*
 * A straightforward upload with tRPC and Drizzle: a transaction of three statements, and the SDK's getSignedUrl. It checks the same
 * rules as the service for an upload with a size. `SIGNED=no` leaves out the URL.
 */
const HOUR_SECONDS = 3600;

const projects = pgTable("projects", {
  id: bigint({ mode: "number" }),
  ref: text(),
  apiKeyHash: text("api_key_hash"),
  maxFileBytes: bigint("max_file_bytes", { mode: "number" }),
  defaultQuotaBytes: bigint("default_quota_bytes", { mode: "number" }),
});
const tenants = pgTable("tenants", {
  projectId: bigint("project_id", { mode: "number" }),
  id: bigint({ mode: "number" }),
  tenantId: text("tenant_id"),
  ref: text(),
  quotaBytes: bigint("quota_bytes", { mode: "number" }),
  usedBytes: bigint("used_bytes", { mode: "number" }),
  reservedBytes: bigint("reserved_bytes", { mode: "number" }),
  createdAt: timestamp("created_at", { withTimezone: true }),
});
const files = pgTable("files", {
  projectId: bigint("project_id", { mode: "number" }),
  tenant: bigint({ mode: "number" }),
  path: text(),
  filename: text(),
  contentType: text("content_type"),
  declaredSize: bigint("declared_size", { mode: "number" }),
  reservedBytes: bigint("reserved_bytes", { mode: "number" }),
  metadata: jsonb(),
  createdAt: timestamp("created_at", { withTimezone: true }),
  urlExpiresAt: timestamp("url_expires_at", { withTimezone: true }),
  nextCheckAt: timestamp("next_check_at", { withTimezone: true }),
});

const db = drizzle(
  postgres(process.env["DATABASE_URL"]!, { max: Number(process.env["DATABASE_POOL_SIZE"] ?? 10) }),
);
const s3 = new S3Client({
  endpoint: "http://127.0.0.1:9",
  region: "us-east-1",
  forcePathStyle: true,
  credentials: { accessKeyId: "nobody", secretAccessKey: "nothing" },
  requestChecksumCalculation: "WHEN_REQUIRED",
});

const t = initTRPC.context<{ apiKey: string }>().create();
const uploadInput = z.object({
  tenant_id: z.string().min(1).max(255),
  filename: z.string().min(1).max(255),
  content_type: z.string(),
  size: z.int().min(0),
});

const router = t.router({
  upload: t.procedure.input(uploadInput).mutation(async ({ ctx, input }) => {
    const filePath = await admit(createHash("sha256").update(ctx.apiKey).digest("hex"), input);
    const url = process.env["SIGNED"] === "no" ? null : await sign(filePath, input);
    return { presigned_url: url, file_path: filePath };
  }),
});

function admit(apiKeyHash: string, input: z.infer<typeof uploadInput>): Promise<string> {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + HOUR_SECONDS * 1000);
  return db.transaction(async (tx) => {
    const [project] = await tx.select().from(projects).where(eq(projects.apiKeyHash, apiKeyHash));
    if (!project) throw new TRPCError({ code: "UNAUTHORIZED" });
    if (input.size > project.maxFileBytes!) throw new TRPCError({ code: "PAYLOAD_TOO_LARGE" });
    const [tenant] = await tx
      .insert(tenants)
      .values({
        projectId: project.id,
        tenantId: input.tenant_id,
        ref: randomBytes(16).toString("base64url"),
        reservedBytes: input.size,
        createdAt: now,
      })
      .onConflictDoUpdate({
        target: [tenants.projectId, tenants.tenantId],
        set: { reservedBytes: sql`${tenants.reservedBytes} + ${input.size}` },
      })
      .returning();
    const quota = tenant!.quotaBytes ?? project.defaultQuotaBytes;
    if (quota !== null && tenant!.usedBytes! + tenant!.reservedBytes! > quota)
      throw new TRPCError({ code: "FORBIDDEN" });
    const path = `projects/${project.ref}/tenants/${tenant!.ref}/${randomBytes(16).toString("base64url")}_${input.filename}`;
    await tx.insert(files).values({
      projectId: project.id,
      tenant: tenant!.id,
      path,
      filename: input.filename,
      contentType: input.content_type,
      declaredSize: input.size,
      reservedBytes: input.size,
      metadata: {},
      createdAt: now,
      urlExpiresAt: expiresAt,
      nextCheckAt: expiresAt,
    });
    return path;
  });
}

function sign(filePath: string, input: { content_type: string; size: number }): Promise<string> {
  const headers = new Set(["host", "content-type", "content-length"]);
  const command = new PutObjectCommand({
    Bucket: "nowhere",
    Key: filePath,
    ContentType: input.content_type,
    ContentLength: input.size,
  });
  return getSignedUrl(s3, command, {
    expiresIn: HOUR_SECONDS,
    signableHeaders: headers,
    unhoistableHeaders: headers,
  });
}

const server = createHTTPServer({
  router,
  createContext: ({ req }) => ({ apiKey: req.headers.authorization?.slice("Bearer ".length) ?? "" }),
});
listen(server);
