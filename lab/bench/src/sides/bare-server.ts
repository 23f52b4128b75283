import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import postgres from "postgres";
import { listen } from "./listen.js";
import { ONE_STATEMENT } from "./one-statement.js";

/*
 * The lower bound: node:http and the one statement. No validation, no signature, no log. An error ends the process.
 */
const HOUR_MS = 3_600_000;
const sql = postgres(process.env["DATABASE_URL"]!, { max: Number(process.env["DATABASE_POOL_SIZE"] ?? 10) });

const server = createServer(async (request, response) => {
  const { tenant_id, filename, content_type, size } = JSON.parse(await bodyOf(request)) as Record<
    string,
    string
  >;
  const key = request.headers.authorization!.slice("Bearer ".length);
  const now = new Date();
  const later = new Date(now.getTime() + HOUR_MS).toISOString();
  const [row] = await sql.unsafe(
    ONE_STATEMENT,
    [
      createHash("sha256").update(key).digest("hex"),
      tenant_id!,
      randomBytes(16).toString("base64url"),
      `${randomBytes(16).toString("base64url")}_${filename}`,
      filename!,
      content_type!,
      size ?? null,
      "{}",
      now.toISOString(),
      later,
      null,
      later,
    ],
    { prepare: true },
  );
  const answer = JSON.stringify({ file_path: row!["path"] as string });
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(answer),
  });
  response.end(answer);
});
listen(server);

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => resolve(body));
  });
}
