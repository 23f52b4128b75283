import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { aBucket } from "../fixtures/a-bucket.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { call } from "../fixtures/call.js";
import { stowage } from "../fixtures/command-line.js";

const GUIDE = new URL("../../../../docs/mcp.md", import.meta.url);
const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const TOKEN = "a-token-of-agents";
const READING = ["find_files", "get_file", "get_usage", "health", "list_tenants", "sign_download"];

let settings: Record<string, string>;
let service: ServiceProcess;
const clients: Client[] = [];

beforeAll(async () => {
  settings = { ...inject("servers"), S3_BUCKET: await aBucket(), SWEEP_INTERVAL_MS: "0" };
  service = await aProcess({ ...settings, PORT: "0", DASHBOARD_DIR: "none" });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => service.kill());

async function aKey(...options: string[]): Promise<string> {
  const { stdout } = await stowage(["project", "create", "For agents", "--json", ...options], settings);
  return (JSON.parse(stdout) as { api_key: string }).api_key;
}

/** An agent that has started the command, as its settings name it. */
async function anAgent(key: string, args: string[] = [], url = service.url): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  const env = { PATH: process.env["PATH"] ?? "", STOWAGE_API_KEY: key, STOWAGE_URL: url };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, "mcp", ...args], env, stderr: "pipe" }),
  );
  return client;
}

async function use(agent: Client, name: string, args: Record<string, unknown> = {}) {
  const { isError = false, content, structuredContent } = await agent.callTool({ name, arguments: args });
  const [first] = content as { type: string; text: string }[];
  return { isError, text: first!.text, answer: structuredContent as Record<string, never> | undefined };
}

describe("an agent", () => {
  test("has only tools that read, unless the operator allows others", async () => {
    const key = await aKey();
    const { tools } = await (await anAgent(key)).listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(READING);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const writing = await (await anAgent(key, ["--allow-write"])).listTools();
    const added = writing.tools.filter(({ annotations }) => !annotations?.readOnlyHint);
    expect(added.map(({ name }) => name).sort()).toEqual(["delete_file", "set_limits", "update_file"]);
    expect(tools.find(({ name }) => name === "find_files")!.inputSchema.properties).toMatchObject({
      tenant_id: { type: "string" },
      metadata: { type: "object" },
    });
  });

  test("is started by the settings of docs/mcp.md, and has the tools of its table", async () => {
    const guide = await readFile(GUIDE, "utf8");
    const { command, args, env } = JSON.parse(/^```json\n([^]*?)^```$/m.exec(guide)![1]!).mcpServers.stowage;
    expect([command, args.shift(), args.shift()]).toEqual(["npx", "stowage", "mcp"]);
    expect(Object.keys(env).sort()).toEqual(["STOWAGE_API_KEY", "STOWAGE_URL"]);
    const rows = [...guide.matchAll(/^\| (`.*?) \|/gm)].map(([, tools]) => tools!);
    const toolsOf = (cells: string[]) =>
      cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, tool]) => tool));
    const key = await aKey();
    const named = async (more: string[]) =>
      (await (await anAgent(key, [...args, ...more])).listTools()).tools.map(({ name }) => name).sort();
    const reading = rows.filter((row) => !row.includes("`--allow-write`"));
    expect(toolsOf(reading).sort()).toEqual(await named([]));
    expect(toolsOf(rows).sort()).toEqual(await named(["--allow-write"]));
  });

  test("lists tenants and files page by page, and reads usage, a file and its bytes", async () => {
    const key = await aKey();
    for (const name of ["a.txt", "b.txt", "c.txt"]) await aStoredFile(service.url, key, { filename: name });
    await aStoredFile(service.url, key, {
      tenant_id: "other",
      bytes: "longer text",
      metadata: { order: "7" },
    });
    const agent = await anAgent(key);

    const { answer: tenants } = await use(agent, "list_tenants", { sort: "used_bytes", limit: 1 });
    expect(tenants).toMatchObject({ tenants: [{ tenant_id: "t", used_bytes: 15, file_count: 3 }] });
    expect((await use(agent, "get_usage", { tenant_id: "other" })).answer).toMatchObject({ used_bytes: 11 });
    expect((await use(agent, "get_usage")).answer).toMatchObject({ used_bytes: 26, file_count: 4 });

    const names: string[] = [];
    for (let cursor: string | undefined, page = 0; page < 3; page++) {
      const found = (await use(agent, "find_files", { tenant_id: "t", limit: 1, cursor }))
        .answer as unknown as {
        files: { filename: string }[];
        next_cursor: string;
      };
      names.push(...found.files.map(({ filename }) => filename));
      cursor = found.next_cursor;
    }
    expect(names).toEqual(["c.txt", "b.txt", "a.txt"]);

    const found = (await use(agent, "find_files", { q: "B.T" })).answer as unknown as {
      files: [{ file_path: string }];
    };
    const { file_path } = found.files[0];
    expect((await use(agent, "get_file", { file_path })).answer).toMatchObject({
      filename: "b.txt",
      size: 5,
    });
    const signed = (await use(agent, "sign_download", { file_path, expires_in: 60 })).answer;
    expect(await (await fetch(signed!["presigned_url"]!)).text()).toBe("hello");
    expect((await use(agent, "health")).answer).toMatchObject({
      status: "ready",
      version: expect.any(String),
    });
  });

  test("reaches nothing of another project", async () => {
    const strangers = await aKey();
    const { file_path } = await aStoredFile(service.url, strangers, { tenant_id: "stranger" });
    const agent = await anAgent(await aKey(), ["--allow-write"]);
    for (const name of ["get_file", "sign_download", "delete_file", "update_file"]) {
      const args = name === "update_file" ? { file_path, filename: "b.txt" } : { file_path };
      expect(await use(agent, name, args)).toMatchObject({
        isError: true,
        text: /^File not found \(status 404/,
      });
    }
    expect((await use(agent, "find_files")).answer).toMatchObject({ files: [] });
    expect((await use(agent, "list_tenants")).answer).toMatchObject({ tenants: [] });
    expect((await use(agent, "get_usage", { tenant_id: "stranger" })).answer).toMatchObject({
      used_bytes: 0,
    });
  });

  test("renames files, moves them to the trash, never deletes them for good, and sets quotas", async () => {
    const key = await aKey("--trash-days", "7");
    const { file_path } = await aStoredFile(service.url, key);
    const agent = await anAgent(key, ["--allow-write"]);
    const renamed = await use(agent, "update_file", {
      file_path,
      filename: "b.txt",
      metadata: { order: "7" },
    });
    expect(renamed.answer).toMatchObject({ filename: "b.txt", metadata: { order: "7" } });
    expect((await use(agent, "delete_file", { file_path })).answer).toMatchObject({ deleted: [file_path] });
    expect((await use(agent, "find_files", { status: "trashed" })).answer).toMatchObject({
      files: [{ file_path }],
    });
    expect((await use(agent, "delete_file", { file_path })).text).toMatch(/^File not found/);
    const limits = { tenant_id: "t", quota_bytes: 1000, max_files: 7, uploads_per_minute: 60 };
    expect((await use(agent, "set_limits", limits)).answer).toMatchObject({
      ...limits,
      quota_source: "tenant",
    });

    const withoutTrash = await aKey("--trash-days", "0");
    const kept = await aStoredFile(service.url, withoutTrash);
    const other = await anAgent(withoutTrash, ["--allow-write"]);
    expect(await use(other, "delete_file", { file_path: kept.file_path, trash_only: false })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^The project has no trash/),
    });
    const both = { file_path: kept.file_path, trash_only: true, purge: true };
    expect((await call(`${service.url}/api/storage/delete/`, { key: withoutTrash, body: both })).status).toBe(
      400,
    );
    expect((await use(other, "get_file", { file_path: kept.file_path })).answer).toMatchObject({
      status: "stored",
    });
  });

  test("gets a sentence for a wrong argument, a wrong key and a service that does not answer", async () => {
    const agent = await anAgent(await aKey());
    expect(await use(agent, "find_files", { limit: 1000 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("limit must be at most 100"),
    });
    const wrong = await anAgent("sk_wrong_key");
    const { isError, text } = await use(wrong, "get_usage");
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringContaining("(status 401, request "),
    });
    expect(text).not.toContain("sk_wrong_key");
    const lost = await anAgent(await aKey(), [], "http://127.0.0.1:9");
    expect((await use(lost, "get_usage")).text).toMatch(
      /^The service at http:\/\/127.0.0.1:9 does not answer/,
    );
    expect((await use(lost, "health")).answer).toMatchObject({ status: "unavailable" });
  });

  test("keeps the key and its memory from a server that is not the service", async () => {
    const seen: string[] = [];
    const other = createServer(({ headers }, response) => {
      seen.push(headers.authorization ?? "");
      response.end("{}");
    });
    const impostor = createServer((_request, response) => {
      if (answers === "redirect") response.writeHead(307, { Location: urlOf(other) }).end();
      else response.writeHead(200).end(`{"files":"${"x".repeat(5 * 1024 ** 2)}"}`);
    });
    for (const server of [other, impostor]) {
      await once(server.listen(0, "127.0.0.1"), "listening");
      onTestFinished(() => void server.close());
    }
    let answers: "redirect" | "large" = "redirect";
    const agent = await anAgent(await aKey(), [], urlOf(impostor));
    const redirected = await use(agent, "find_files");
    expect(redirected).toMatchObject({ isError: true, text: expect.stringContaining("does not answer") });
    expect(seen).toEqual([]);
    answers = "large";
    expect(await use(agent, "find_files")).toMatchObject({
      isError: true,
      text: "The answer is too large. Ask for fewer entries.",
    });
  });
});

describe("over HTTP", () => {
  test("an agent on this machine needs no token, and a page of another site is refused", async () => {
    const { url } = await served(await aKey());
    const agent = await anHttpAgent(url);
    expect((await agent.listTools()).tools.map(({ name }) => name).sort()).toEqual(READING);
    expect((await use(agent, "get_usage")).answer).toMatchObject({ used_bytes: 0 });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const from = (headers: Record<string, string>) => call(url, { body, headers });
    expect((await from({ origin: "https://evil.example" })).status).toBe(403);
    expect((await fetch(new URL("/", url))).status).toBe(404);
  });

  test("a name that leads to this machine, a page that uses it, and another method are refused", async () => {
    const { url } = await served(await aKey());
    // As a page does whose host has this machine's address since it was loaded.
    const rebound = { Host: "evil.example", Origin: "http://evil.example" };
    expect(await exchangeRaw(url, { headers: { Host: "evil.example" } })).toBe(403);
    expect(await exchangeRaw(url, { headers: rebound })).toBe(403);
    for (const method of ["TRACE", "PUT", "OPTIONS"]) expect(await exchangeRaw(url, { method })).toBe(405);
  });

  test("a body that is too large, and a host that is none, get an answer that says so", async () => {
    const { url } = await served(await aKey(), { STOWAGE_MCP_TOKEN: TOKEN });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(300_000) });
    expect(await exchangeRaw(url, { headers, body })).toBe(413);
    expect(await exchangeRaw(url, { headers: { ...headers, Host: "^" } })).toBe(400);
    expect((await use(await anHttpAgent(url, TOKEN), "health")).answer).toMatchObject({ status: "ready" });
  });

  test("with a token, only callers that send it are served", async () => {
    const { url } = await served(await aKey(), { STOWAGE_MCP_TOKEN: TOKEN });
    await expect(anHttpAgent(url)).rejects.toThrow();
    await expect(anHttpAgent(url, "another")).rejects.toThrow();
    expect((await use(await anHttpAgent(url, TOKEN), "health")).answer).toMatchObject({
      status: "ready",
    });
  });

  test("another address needs a token that cannot be guessed, and the key is never an argument", async () => {
    const env = { STOWAGE_API_KEY: "sk_any" };
    const open = await stowage(["mcp", "--http", "--host", "0.0.0.0"], env);
    expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining("STOWAGE_MCP_TOKEN") });
    const short = await stowage(["mcp", "--http"], { ...env, STOWAGE_MCP_TOKEN: "fifteen-letters" });
    expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining("at least 16 characters") });
    expect(await stowage(["mcp"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("STOWAGE_API_KEY"),
    });
  });
});

/** A request with headers that `fetch` does not send. @returns the status */
async function exchangeRaw(
  url: string,
  { method = "POST", body = "{}", headers = {} }: { method?: string; body?: string; headers?: object },
): Promise<number> {
  const sent = request(url, { method, headers: { "Content-Type": "application/json", ...headers } });
  // The server may answer and close before it has read all.
  sent.on("error", () => undefined).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode!;
}

async function anHttpAgent(url: string, token?: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The command with --http, on a free port. */
async function served(
  key: string,
  env: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [CLI, "mcp", service.url, "--http", "--port", "0"], {
    env: { PATH: process.env["PATH"], STOWAGE_API_KEY: key, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await once(child, "close");
  });
  for await (const line of createInterface(child.stderr)) {
    const url = /served at (\S+)/.exec(line)?.[1];
    if (url) return { url, child };
  }
  throw new Error("the command ended");
}
