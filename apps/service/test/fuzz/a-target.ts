import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startDevStore } from "@stowage/dev-store";
import { createStowage } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { inject } from "vitest";
import { aDatabase } from "../fixtures/a-database.js";
import { anOperator, anOwnedProject, DASHBOARD_URL, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aProcess } from "../fixtures/a-process.js";
import { anUpload, call } from "../fixtures/call.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import type { Known } from "./of-schema.js";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export const LINK_PASSWORD = "a password of the fuzzer for links";
export const AGENT_TOKEN = "a-token-of-the-fuzzer-for-agents";
export const EVENTS_SECRET = "a-secret-of-the-fuzzer-for-storage-events";
const STORE = { accessKeyId: "fuzz-access-key", secretAccessKey: "fuzz-secret-key", bucket: "fuzz-bucket" };

export type Target = Awaited<ReturnType<typeof aTarget>>;

/** Everything that the fuzzer attacks: the built service as a process, the helper and `stowage mcp` in front of it, and a dev-store. */
export async function aTarget() {
  const dir = await mkdtemp(join(tmpdir(), "stowage-fuzz-"));
  const database = await aDatabase();
  const service = await aProcess({
    ...inject("servers"),
    DATABASE_URL: database.url,
    PORT: "0",
    // V8 collects what it can only when it has little memory, and the newer it is the later. So what is left is a leak.
    NODE_OPTIONS: "--max-old-space-size=128 --max-semi-space-size=16",
    // The limits per client are tested elsewhere. Here they would hide what is behind them.
    RATE_LIMIT_PER_MINUTE: "0",
    DASHBOARD_URL,
    DASHBOARD_DIR: await aDashboard(dir),
    STORAGE_EVENTS_SECRET: EVENTS_SECRET,
    STORAGE_EVENTS_SNS_TOPICS: "arn:aws:sns:us-east-1:123456789012:topic",
  });
  // Read from the start, so that no line is missing: `output()` keeps only the end.
  let log = "";
  service.child.stdout!.on("data", (chunk: Buffer) => (log += chunk.toString("utf8")));
  service.child.stderr!.on("data", (chunk: Buffer) => (log += chunk.toString("utf8")));

  const owner = await anOperator(service.url, { isAdmin: true, databaseUrl: database.url });
  const other = await anOperator(service.url, { databaseUrl: database.url });
  const restProject = await anOwnedProject(owner);
  const trpcProject = await anOwnedProject(owner);
  const doomedProject = await anOwnedProject(owner);
  const { linkUrls, ...rest } = await seedProject(service.url, restProject.apiKey);
  const trpc = await seedProject(service.url, trpcProject.apiKey);
  const agents = await anAgentServer(service.url, restProject.apiKey);
  const { data: listed } = await owner.query<{ files: { id: string }[]; nextCursor: string | null }>(
    "files.list",
    {
      projectRef: trpcProject.projectRef,
      limit: 2,
    },
  );

  const storeErrors: unknown[] = [];
  const store = await startDevStore({
    dir: join(dir, "store"),
    accessKeyId: STORE.accessKeyId,
    secretAccessKey: STORE.secretAccessKey,
    buckets: [STORE.bucket],
    onError: (error) => storeErrors.push(error),
  });
  const helperErrors: Error[] = [];
  const stowage = createStowage({
    apiKey: restProject.apiKey,
    baseUrl: service.url,
    tenant: (request) => request.headers.get("X-Test-User") || null,
    allowDelete: true,
    allowRestore: true,
    allowUpdate: true,
    allowFolders: true,
    allowFolderJobs: true,
    allowShare: true,
    allowVersions: true,
    allowDownload: true,
    onError: (error) => helperErrors.push(error),
  });
  const helper = await listen(createServer(toNodeHandler(stowage)));

  return {
    service,
    databaseUrl: database.url,
    log: () => log + agents.output(),
    /** What no log may contain. */
    secrets: [
      restProject.apiKey,
      trpcProject.apiKey,
      EVENTS_SECRET,
      AGENT_TOKEN,
      PASSWORD,
      LINK_PASSWORD,
      ...owner.cookies.values(),
      ...linkUrls.map((url) => url.slice(url.lastIndexOf("/") + 1)),
    ],
    agents,
    linkUrls,
    servicePort: Number(new URL(service.url).port),
    helperPort: (helper.address() as AddressInfo).port,
    storePort: store.port,
    store: { ...STORE, host: `127.0.0.1:${store.port}`, keys: ["a.txt", "dir/b.txt"] },
    stowage,
    storeErrors,
    helperErrors,
    bucket: inject("servers").S3_BUCKET,
    apiKey: restProject.apiKey,
    cookie: cookieOf(owner),
    otherCookie: cookieOf(other),
    restKnown: {
      ...rest,
      email: [other.email, "nobody@example.com"],
      password: [PASSWORD, "wrong password"],
    } as Known,
    trpcKnown: {
      projectRef: [
        trpcProject.projectRef,
        trpcProject.projectRef,
        trpcProject.projectRef,
        doomedProject.projectRef,
      ],
      name: [doomedProject.name, "another name"],
      confirmName: [doomedProject.name],
      fileId: listed.files.map(({ id }) => id),
      fileIds: [listed.files.map(({ id }) => id)],
      id: listed.files.map(({ id }) => id),
      cursor: [listed.nextCursor, listed.nextCursor?.slice(1), listed.nextCursor?.slice(0, -3)],
      tenantId: ["t", "u"],
      file_path: trpc["file_path"]!,
      token: ["a".repeat(43), "x"],
      email: ["new@example.com", other.email],
      role: ["viewer", "owner"],
    } as Known,
    async close() {
      agents.child.kill("SIGKILL");
      helper.closeAllConnections();
      helper.close();
      await service.kill();
      await store.stop();
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const cookieOf = ({ cookies }: Person) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Makes files in each state and what belongs to them, and returns the values that calls can name. */
async function seedProject(url: string, key: string): Promise<Known & { linkUrls: string[] }> {
  const post = async <Body>(path: string, body: object, method = "POST") =>
    (await call<Body>(`${url}/api/storage/${path}/`, { key, body, method })).body;
  const paths: string[] = [];
  for (const tenant of ["t", "u"]) {
    for (let index = 0; index < 3; index++) {
      paths.push((await aStoredFile(url, key, { tenant_id: tenant, filename: `${index}.txt` })).file_path);
    }
    paths.push(
      (await anUpload(url, key, { tenant_id: tenant, filename: "pending.txt", size: 10 })).file_path,
    );
  }
  const { body } = await call<{ next_cursor: string }>(`${url}/api/storage/files/?limit=2`, { key });
  const events = await call<{ next_cursor: string }>(`${url}/api/storage/events/?limit=1`, { key });
  await post("plans", { name: "free", max_files: 1000 }, "PUT");
  const { job_id } = await post<{ job_id: string }>("folders/move", { tenant_id: "t", from: "a", to: "b" });
  const links: { link_id: string; url: string }[] = [];
  for (const password of [undefined, LINK_PASSWORD])
    links.push(await post("links", { file_path: paths[0], password }));
  return {
    linkUrls: links.map((link) => link.url),
    link_id: links.map((link) => link.link_id),
    job_id: [job_id],
    version: paths,
    replaces: paths,
    plan: ["free", null],
    folder: ["", "a", "a/b"],
    after: [events.body.next_cursor],
    file_path: paths,
    file_paths: [paths.slice(0, 2), ["unknown"]],
    tenant_id: ["t", "u", "new"],
    filename: ["a.txt", "report.pdf"],
    content_type: ["text/plain", "image/png"],
    cursor: [body.next_cursor, body.next_cursor.slice(1), body.next_cursor.slice(0, -2)],
    "idempotency-key": ["k1", "k2"],
  };
}

/** `stowage mcp --http`, as a process. */
async function anAgentServer(url: string, apiKey: string) {
  const child = spawn(process.execPath, [CLI, "mcp", url, "--http", "--port", "0", "--allow-write"], {
    env: { PATH: process.env["PATH"], STOWAGE_API_KEY: apiKey, STOWAGE_MCP_TOKEN: AGENT_TOKEN },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
  const [line] = (await once(createInterface(child.stderr), "line")) as [string];
  const port = Number(/served at http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
  return { child, port, output: () => output };
}

async function aDashboard(dir: string): Promise<string> {
  const dashboard = join(dir, "dashboard");
  await mkdir(join(dashboard, "assets"), { recursive: true });
  await writeFile(join(dashboard, "index.html"), "<!doctype html>");
  await writeFile(join(dashboard, "assets", "a.js"), "");
  await writeFile(join(dashboard, "favicon.svg"), "<svg/>");
  return dashboard;
}

async function listen(server: Server): Promise<Server> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
