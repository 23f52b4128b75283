/** Default of `atOnce`. */
const AT_ONCE = 16;
const TIMEOUT_MS = 30_000;
const BYTES = Buffer.alloc(1000, "x");

interface Asked {
  file_path: string;
  presigned_url: string;
  headers: Record<string, string>;
}

/**
 * Requests uploads from the service and PUTs their bytes.
 *
 * @param options.completes whether each PUT is followed by its completion call. @default false
 * @param options.atOnce how many uploads run at the same time. @default 16
 * @returns the paths, which are the object keys
 */
export async function uploadObjects(
  port: number,
  apiKey: string,
  count: number,
  { completes = false, atOnce = AT_ONCE }: { completes?: boolean; atOnce?: number } = {},
): Promise<string[]> {
  const paths: string[] = [];
  let started = 0;
  const call = (path: string, body: object) =>
    send(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const work = async () => {
    while (started++ < count) {
      const asked = (await (
        await call("/api/storage/upload/", {
          tenant_id: `user-${started % 100}`,
          filename: "photo.jpg",
          content_type: "image/jpeg",
          size: BYTES.length,
        })
      ).json()) as Asked;
      await send(asked.presigned_url, { method: "PUT", headers: asked.headers, body: BYTES });
      if (completes) await (await call("/api/storage/complete/", { file_path: asked.file_path })).text();
      paths.push(asked.file_path);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return paths;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${init.method} got status ${response.status}: ${await response.text()}`);
  return response;
}
