import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer, request as httpsRequest } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "@stowage/dev-postgres";
import type { UploadResponse } from "@stowage/schemas";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aCertificate } from "../fixtures/a-certificate.js";
import { type DebianServer, aDebianServer } from "../fixtures/a-debian-server.js";
import { aProject } from "../fixtures/a-project.js";
import { call } from "../fixtures/call.js";

/*
 * The service in a network namespace whose only way out is Squid. Storage, the provider and the receiver of webhooks listen on the loopback
 * address of this machine, which is another one inside of the namespace.
 */

const dist = (name: string) => fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));
const NAMESPACE = `stowage${process.pid}`;
const OUTSIDE = `198.18.${process.pid % 250}.1`;
const INSIDE = `198.18.${process.pid % 250}.2`;
const PASSWORD = "opensesame";

const certificate = aCertificate("127.0.0.1");
const dir = mkdtempSync(join(tmpdir(), "stowage-egress-"));
const caFile = join(dir, "ca.pem");
const webhooks: string[] = [];
/** Storage, a provider's discovery document and a receiver, with TLS. */
const front = createServer(
  { cert: certificate.certificate, key: certificate.key.export({ type: "pkcs8", format: "pem" }) },
  (incoming, outgoing) => {
    const { url = "", method, headers } = incoming;
    if (url.startsWith("/provider/")) return void outgoing.end(JSON.stringify(discoveryDocument()));
    if (url === "/hook") {
      let body = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      incoming.on("end", () => (webhooks.push(body), outgoing.end()));
      return;
    }
    const { hostname, port } = new URL(inject("servers").S3_ENDPOINT);
    const forwarded = httpRequest({ hostname, port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  },
);
let frontUrl: string;
let squid: DebianServer;
let relay: ReturnType<typeof spawn>;
const database = createTcpServer((socket) => {
  const { hostname, port } = new URL(inject("servers").DATABASE_URL);
  const target = connect(Number(port || 5432), hostname);
  for (const each of [socket, target]) each.on("error", () => (socket.destroy(), target.destroy()));
  socket.pipe(target).pipe(socket);
});

const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe" });

function discoveryDocument() {
  const issuer = `${frontUrl}/provider`;
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

beforeAll(async () => {
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  frontUrl = `https://127.0.0.1:${(front.address() as AddressInfo).port}`;
  writeFileSync(caFile, certificate.certificate);
  ip("netns", "add", NAMESPACE);
  const [outer, inner] = [`so${process.pid}`, `si${process.pid}`];
  ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", NAMESPACE);
  ip("address", "add", `${OUTSIDE}/30`, "dev", outer);
  ip("link", "set", outer, "up");
  ip("-n", NAMESPACE, "address", "add", `${INSIDE}/30`, "dev", inner);
  for (const device of [inner, "lo"]) ip("-n", NAMESPACE, "link", "set", device, "up");
  // The database is no matter of the proxy. A socket of the file system leads out of the namespace.
  const socket = join(dir, "database");
  await new Promise<void>((resolve) => database.listen(socket, resolve));
  const { port } = new URL(inject("servers").DATABASE_URL);
  relay = inside([
    "-e",
    `require("net").createServer((s) => { const t = require("net").connect(${JSON.stringify(socket)});
      for (const e of [s, t]) e.on("error", () => (s.destroy(), t.destroy())); s.pipe(t).pipe(s); })
      .listen(${port || 5432}, "127.0.0.1", () => console.log("ready"))`,
  ]).child;
  await new Promise((resolve) => relay.stdout!.once("data", resolve));
  squid = await startSquid();
}, 120_000);

afterAll(async () => {
  await squid?.end("SIGKILL");
  relay?.kill("SIGKILL");
  front.closeAllConnections();
  front.close();
  database.close();
  ip("netns", "delete", NAMESPACE);
  rmSync(dir, { recursive: true, force: true });
});

async function startSquid(): Promise<DebianServer> {
  const helper = join(dir, "passwords");
  writeFileSync(
    helper,
    `#!/bin/sh\nwhile read -r line; do [ "$line" = "ada ${PASSWORD}" ] && echo OK || echo ERR; done\n`,
  );
  const file = join(dir, "squid.conf");
  const port = await freePort();
  const settings = [
    `http_port 127.0.0.1:${port}`,
    `http_port ${OUTSIDE}:3128`,
    `auth_param basic program ${helper}`,
    "auth_param basic children 1",
    "acl known proxy_auth REQUIRED",
    "http_access allow known",
    "http_access deny all",
    "cache deny all",
    `access_log stdio:${dir}/access.log`,
    `cache_log ${dir}/cache.log`,
    `pid_filename ${dir}/pid`,
    `coredump_dir ${dir}`,
    "netdb_filename none",
    "pinger_enable off",
    "visible_hostname proxy",
    "shutdown_lifetime 0 seconds",
  ];
  writeFileSync(file, `${settings.join("\n")}\n`);
  // Squid leaves root.
  chmodSync(dir, 0o777);
  chmodSync(helper, 0o755);
  return aDebianServer({ program: "squid", args: ["-N", "-n", NAMESPACE, "-f", file], port, cwd: dir });
}

const proxyWith = (password: string) => `http://ada:${password}@${OUTSIDE}:3128`;

/** Runs Node in the namespace. */
function inside(args: string[], env: Record<string, string> = {}) {
  const child = spawn("ip", ["netns", "exec", NAMESPACE, process.execPath, ...args], {
    env: {
      PATH: process.env["PATH"],
      ...inject("servers"),
      S3_ENDPOINT: frontUrl,
      NODE_EXTRA_CA_CERTS: caFile,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  return { child, output: () => output, ended };
}

async function runCli(args: string[], env: Record<string, string>): Promise<string> {
  const run = inside([dist("cli"), ...args], env);
  await run.ended;
  return run.output();
}

const doctor = (env: Record<string, string>) =>
  runCli(["doctor"], { ...env, OIDC_ISSUER: `${frontUrl}/provider` });

test("storage, the provider and webhooks are reached through the proxy, and its password is in no output", async () => {
  const env = {
    HTTPS_PROXY: proxyWith(PASSWORD),
    WEBHOOK_PROXY: proxyWith(PASSWORD),
    WEBHOOK_ALLOW_PRIVATE: "true",
  };
  const project = await aProject();
  await runCli(["webhook", "create", "--project", project.ref, "--events", "all", `${frontUrl}/hook`], env);
  const service = inside([dist("main")], {
    ...env,
    HOST: INSIDE,
    PORT: "4000",
    DASHBOARD_DIR: "none",
    LOG_LEVEL: "trace",
  });
  try {
    await new Promise<void>((resolve, reject) => {
      createInterface(service.child.stdout).on("line", (line) => line.includes("listening on") && resolve());
      void service.ended.then(() => reject(new Error(service.output())));
    });
    const api = (path: string, body: object) =>
      call(`http://${INSIDE}:4000/api/storage/${path}/`, {
        method: "POST",
        headers: { authorization: `Bearer ${project.apiKey}` },
        body: JSON.stringify(body),
      });
    const upload = (await api("upload", { tenant_id: "t", filename: "a.txt" }))
      .body as unknown as UploadResponse;
    expect(new URL(upload.presigned_url).origin).toBe(frontUrl);
    expect(await put(upload, "hello")).toBe(200);
    const { file_path } = upload;
    // By Node's own client, and by the AWS SDK.
    expect(await api("complete", { file_path })).toMatchObject({
      status: 200,
      body: { status: "stored", size: 5 },
    });
    expect(await api("delete", { file_path })).toMatchObject({ status: 200, body: { deleted: [file_path] } });
    await expect.poll(() => webhooks.join(), { timeout: 60_000 }).toContain("file.stored");
  } catch (error) {
    throw new Error(service.output(), { cause: error });
  } finally {
    service.child.kill("SIGKILL");
    await service.ended;
  }
  const found = await doctor(env);
  expect(found).toContain("the provider's discovery document is usable");
  expect(found).not.toMatch(/cannot be reached|PROXY_/);
  expect(readFileSync(join(dir, "access.log"), "utf8")).toContain(`CONNECT ${new URL(frontUrl).host} ada`);
  for (const output of [service.output(), found]) expect(output).not.toMatch(/opensesame|YWRhOn/);
});

test("the doctor names a proxy that refuses, one that is down, and a connection past the proxy", async () => {
  const refused = await doctor({ HTTPS_PROXY: proxyWith("hunter2") });
  expect(refused).toContain("PROXY_ANSWERED_407");
  expect(refused).not.toContain("hunter2");
  const down = await doctor({ https_proxy: `http://${OUTSIDE}:1` });
  expect(down).toContain("PROXY_UNREACHABLE");
  const direct = await doctor({ HTTPS_PROXY: proxyWith(PASSWORD), NO_PROXY: "127.0.0.0/8" });
  expect(direct).toContain("discovery cannot be reached (ECONNREFUSED)");
  // The namespace has no other way out.
  expect(await doctor({})).toContain("discovery cannot be reached (ECONNREFUSED)");
});

function put({ presigned_url, headers }: UploadResponse, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    httpsRequest(
      presigned_url,
      {
        method: "PUT",
        headers: { ...headers, "Content-Length": body.length },
        ca: certificate.certificate,
        agent: false,
      },
      (answer) => resolve(answer.resume().statusCode!),
    )
      .on("error", reject)
      .end(body);
  });
}
