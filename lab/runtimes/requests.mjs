// A file by the calls of the README: request an upload, PUT, complete. And an image with a variant.
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./install.mjs";

const CALL_MS = 30_000;
const VARIANT_MS = 60_000;

export async function storeText(demo) {
  await store(demo, "hello.txt", "text/plain", new TextEncoder().encode("hello"));
}

/** Stores a photo and waits until the worker has made its variant. */
export async function storeImage(demo) {
  const sharp = createRequire(join(root, "apps/service/package.json"))("sharp");
  const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: "#204060" } })
    .jpeg()
    .toBuffer();
  const path = await store(demo, "photo.jpg", "image/jpeg", photo);
  const endAt = Date.now() + VARIANT_MS;
  for (;;) {
    const { status, code, body } = await call(demo, "download", { file_path: path, variant: "thumb" });
    if (status === 200) {
      const bytes = await (await fetch(body.presigned_url, limit())).arrayBuffer();
      const { width } = await sharp(Buffer.from(bytes)).metadata();
      if (width !== 320) throw new Error(`the variant is ${width} pixels wide, not 320`);
      return;
    }
    if (code !== "variant_pending") throw new Error(`${status} ${code}: ${body.detail}`);
    if (Date.now() > endAt) throw new Error(`the variant is still pending after ${VARIANT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function store(demo, filename, contentType, bytes) {
  const request = { tenant_id: "user_1", filename, content_type: contentType, size: bytes.length };
  const { body: upload } = await call(demo, "upload", request, 200);
  const put = await fetch(upload.presigned_url, {
    method: "PUT",
    headers: upload.headers,
    body: bytes,
    ...limit(),
  });
  if (!put.ok) throw new Error(`PUT: ${put.status} ${await put.text()}`);
  const { body: file } = await call(demo, "complete", { file_path: upload.file_path }, 200);
  if (file.status !== "stored" || file.size !== bytes.length) throw new Error(JSON.stringify(file));
  return upload.file_path;
}

async function call({ base_url, api_key }, action, body, expected) {
  const response = await fetch(`${base_url}/api/storage/${action}/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${api_key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...limit(),
  });
  const code = response.headers.get("X-Error-Code");
  const answer = { status: response.status, code, body: await response.json() };
  if (expected === undefined || answer.status === expected) return answer;
  throw new Error(`${action}: ${answer.status} ${code}: ${answer.body.detail}`);
}

const limit = () => ({ signal: AbortSignal.timeout(CALL_MS) });
