import { createServer } from "node:http";
import { listen } from "./listen.js";

/** Fixed answers of storage services to a helper. It checks and stores nothing. */
const HOUR_MS = 3_600_000;
const path = "projects/pRj1/tenants/tNt1/s7Vbq3x9Qm2dLr0KcY8fZw_holiday-photo.jpg";
const answers: Record<string, string> = {
  "/api/storage/upload/": JSON.stringify({
    presigned_url: `http://127.0.0.1:9/bench/${path}?X-Amz-Signature=${"0".repeat(64)}&${"x".repeat(300)}`,
    file_path: path,
    tenant_id: "user-1",
    is_new_tenant: false,
    content_type: "image/jpeg",
    headers: { "Content-Type": "image/jpeg" },
    expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
    max_bytes: 1000,
  }),
  // UploadThing's answer.
  "/route-metadata": JSON.stringify({ ok: true }),
};

listen(
  createServer((request, response) => {
    const answer = answers[request.url!]!;
    // Read the body, so the connection can serve the next request.
    request.resume();
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": answer.length });
    response.end(answer);
  }),
);
