// `pnpm lab clients [NAME …] [--write]`: uploads with HTTP clients of many languages, each by the program that docs/put.md shows or links.
//
// Each program of lab/clients sends four files, each with and without `size` in the upload request. Then the lab makes the usual
// mistakes: it edits a copy of the program and records what storage got and answered. `--write` puts programs and table into docs/put.md.
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startDevStore } from "@stowage/dev-store";
import { checkout } from "@stowage/local/src/checkout.js";
import { startLocal } from "@stowage/local/src/start-local.js";
import { installDebianPackages } from "../scripts/debian-packages.mjs";
import { run } from "../scripts/install.mjs";
import { clients, NPM_PACKAGES } from "./clients/clients.mjs";
import { recordResults, writePage } from "./clients/page.mjs";

const RUN_TIMEOUT_MS = 180_000;
const BUILD_TIMEOUT_MS = 600_000;
const BUCKET = "files";
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const programs = join(root, "lab", "clients");

const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith("--"));
const chosen = clients.filter(({ program }) => names.length === 0 || names.includes(program));
const unknown = names.filter((name) => !clients.some(({ program }) => program === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(" ")}. Known: ${clients.map(({ program }) => program).join(" ")}`);
  process.exit(2);
}

installDebianPackages([...new Set(chosen.flatMap(({ packages = [] }) => packages))]);
const work = mkdtempSync(join(tmpdir(), "stowage-clients-"));
const closing = [() => rmSync(work, { recursive: true, force: true })];
let failures = 0;
try {
  const npm = ["install", "--prefix", work, "--no-audit", "--no-fund", "--loglevel=error"];
  if (chosen.some(({ isNpm }) => isNpm) && run(root, "npm", [...npm, ...NPM_PACKAGES]) !== 0)
    throw new Error("npm could not install the clients.");
  const files = makeFiles(join(work, "files"));
  const stowage = await startStowage();
  for (const client of chosen) {
    const row = await tryClient(client, { files, stowage });
    failures += row.failures.length;
    if (args.includes("--write")) recordResults(row);
    console.log(`${row.name} ${row.version}: ${row.passed} of ${row.passed + row.failures.length}`);
    for (const line of [...row.failures, ...row.mistakes]) console.log(`  ${line}`);
  }
  if (args.includes("--write")) writePage();
} finally {
  for (const close of closing.toReversed()) await close();
}
process.exit(failures === 0 ? 0 : 1);

/** A usual file, an empty one, a text whose bytes depend on encoding and newlines, and one that does not fit into small buffers. */
function makeFiles(folder) {
  mkdirSync(folder);
  const contents = {
    normal: ["photo.png", randomBytes(300_000)],
    empty: ["empty.txt", Buffer.alloc(0)],
    text: ["text.txt", Buffer.from("Grüße\r\nzweite Zeile\n\n  letzte Zeile\n")],
    large: ["large.bin", randomBytes(64 * 1024 ** 2)],
  };
  return Object.fromEntries(
    Object.entries(contents).map(([name, [filename, bytes]]) => {
      const path = join(folder, filename);
      writeFileSync(path, bytes);
      return [name, { name, path, size: bytes.length, sha256: sha256(bytes) }];
    }),
  );
}

/** Starts the service on a dev-store whose public address is a recorder. */
async function startStowage() {
  const credentials = { accessKeyId: "lab", secretAccessKey: randomBytes(20).toString("hex") };
  const store = await startDevStore({ dir: join(work, "store"), ...credentials, buckets: [BUCKET] });
  closing.push(() => store.stop());
  const recorder = await startRecorder(new URL(store.endpoint));
  const local = await startLocal({
    programs: { ...checkout.programs, example: undefined },
    dataDir: join(work, "data"),
    ports: { service: 0, store: 0, example: 0 },
    databaseUrl: undefined,
    storage: {
      S3_ENDPOINT: store.endpoint,
      S3_PUBLIC_ENDPOINT: recorder.url,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    serviceSettings: { RATE_LIMIT_PER_MINUTE: "100000", DEFAULT_QUOTA_BYTES: String(10 * 1024 ** 3) },
    exampleSettings: {},
  });
  closing.push(() => local.stop());
  const call = async (path, body) => {
    const answer = await fetch(`${local.serviceUrl}/api/storage/${path}/`, {
      method: "POST",
      headers: { Authorization: `Bearer ${local.demo.api_key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return await answer.json();
  };
  return { call, recorder };
}

/** Passes bytes on unchanged, and keeps the head of each request and the status of each answer. */
async function startRecorder({ hostname, port }) {
  let seen = [];
  const server = createServer((from) => {
    const to = connect(Number(port), hostname);
    const exchange = { head: "", answer: "" };
    seen.push(exchange);
    from.on("data", (bytes) => {
      if (!exchange.head.includes("\r\n\r\n")) exchange.head += bytes.toString("latin1", 0, 16_384);
    });
    to.on("data", (bytes) => {
      if (exchange.answer.length < 4096) exchange.answer += bytes.toString("latin1", 0, 4096);
    });
    for (const [one, other] of [
      [from, to],
      [to, from],
    ])
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    from.pipe(to).pipe(from);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** What the last request sent, and how storage answered it. Forgets all. */
    take() {
      const { head = "", answer = "" } = seen.findLast((exchange) => exchange.head !== "") ?? {};
      seen = [];
      if (head === "") return undefined;
      const header = (name) => new RegExp(`^${name}: *(.*?)\\r$`, "im").exec(head)?.[1];
      return {
        isChunked: header("transfer-encoding") !== undefined,
        length: header("content-length"),
        status: [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)]
          .map(([, status]) => status)
          .findLast((s) => s !== "100"),
        says: /<Message>[^]*?provided\. Check your key and signing method\. ([^]*?)<\/Message>/.exec(
          answer,
        )?.[1],
      };
    },
  };
}

async function tryClient(client, { files, stowage }) {
  const source = readFileSync(join(programs, client.program), "utf8");
  const row = { ...client, version: await versionOf(client), passed: 0, failures: [], mistakes: [] };
  const command = await prepare(client, source, "program");
  for (const file of Object.values(files))
    for (const hasSize of [true, false]) {
      const outcome = await tryUpload(command, { file, hasSize, stowage });
      if (outcome.isRight) row.passed++;
      else
        row.failures.push(
          `${file.name}, ${hasSize ? "with" : "without"} size: ${outcome.text} ${outcome.stderr}`,
        );
    }
  for (const { label, file, edits } of client.mistakes ?? []) {
    const edited = edits.reduce((text, [from, to]) => replaceOnce(text, from, to, client.program), source);
    const mistaken = await prepare(client, edited, "mistake");
    const [sized, unsized] = [
      await tryUpload(mistaken, { file: files[file], hasSize: true, stowage }),
      await tryUpload(mistaken, { file: files[file], hasSize: false, stowage }),
    ];
    row.mistakes.push(`${label}: ${describe(sized, unsized)}`);
  }
  return row;
}

function replaceOnce(text, from, to, program) {
  if (text.split(from).length !== 2) throw new Error(`${program} must contain this once: ${from}`);
  return text.replace(from, () => to);
}

/** Writes and compiles a program. @returns the command that runs it */
async function prepare({ program, build, command }, source, folder) {
  const dir = join(work, folder, program.replaceAll(".", "-"));
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const path = join(dir, program);
  writeFileSync(path, source);
  for (const step of build?.({ path, dir }) ?? []) {
    const { code, stderr } = await execute(step, dir, BUILD_TIMEOUT_MS);
    if (code !== 0) throw new Error(`${program} does not compile: ${stderr}`);
  }
  return { argv: command({ path, dir, bin: join(work, "node_modules", ".bin") }), dir };
}

async function tryUpload({ argv, dir }, { file, hasSize, stowage }) {
  const { call, recorder } = stowage;
  const request = {
    tenant_id: "lab",
    filename: basename(file.path),
    ...(hasSize ? { size: file.size } : {}),
  };
  const upload = await call("upload", request);
  recorder.take();
  const headers = Object.entries(upload.headers).flat();
  const { code, stderr } = await execute([...argv, file.path, upload.presigned_url, ...headers], dir);
  const sent = recorder.take();
  if (sent?.status !== "200") return { sent, text: wordsFor(sent), isRight: false, stderr };
  const { file_path } = await call("complete", { file_path: upload.file_path });
  const { presigned_url } = await call("download", { file_path });
  const answer = await fetch(presigned_url, { signal: AbortSignal.timeout(60_000) });
  const isSame = sha256(Buffer.from(await answer.arrayBuffer())) === file.sha256;
  await call("delete", { file_path, purge: true });
  recorder.take();
  return { sent, text: isSame ? "200" : "200, stored altered", isRight: isSame && code === 0, stderr };
}

function wordsFor(sent) {
  return sent === undefined ? "the client throws" : (sent.status ?? "no answer");
}

/** Says what storage got and answered to the same mistake with and without `size`. */
function describe(sized, unsized) {
  const { sent } = sized;
  const body = [sent?.isChunked && "chunks", sent?.length !== undefined && "a length"].filter(Boolean);
  const how = sent === undefined ? "" : `${body.join(" and ") || "no length"} → `;
  return (
    how + (sized.text === unsized.text ? sized.text : `${sized.text} (without \`size\`: ${unsized.text})`)
  );
}

async function versionOf({ version }) {
  if (typeof version === "string") return version;
  const { stdout, stderr } = await execute(
    version.argv({ bin: join(work, "node_modules", ".bin"), work }),
    work,
  );
  return version.pattern.exec(stdout + stderr)?.[1] ?? "unknown";
}

function execute([command, ...rest], cwd, timeout = RUN_TIMEOUT_MS) {
  return new Promise((resolve) => {
    // Debian's programs come first: the table has their versions.
    const PATH = `/usr/bin:/bin:${process.env.PATH}`;
    const env = {
      ...process.env,
      PATH,
      NO_COLOR: "1",
      NODE_NO_WARNINGS: "1",
      HOME: work,
      GOCACHE: join(work, "go"),
      GOFLAGS: "-mod=mod",
    };
    const child = spawn(command, rest, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout,
    });
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"])
      child[stream].on("data", (bytes) => (output[stream] = (output[stream] + bytes).slice(-4000)));
    child.on("error", ({ message }) => resolve({ ...output, code: -1, stderr: message }));
    child.on("close", (code) => resolve({ ...output, code }));
  });
}

function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}
