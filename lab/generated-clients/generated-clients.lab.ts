import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  expectTheCodeOfAnError,
  expectWholeLifeOfAFile,
} from "@stowage/service/test/docs/a-client.js";
import { readProgram } from "@stowage/service/test/docs/read-program.js";
import { aService, type RunningService } from "@stowage/service/test/fixtures/a-service.js";

const exec = promisify(execFile);
const TOOL_TIMEOUT_MS = 180_000;
/** Where Debian's packages put Go's libraries. */
const DEBIAN_GO_PATH = "/usr/share/gocode";

let folder: string;
let service: RunningService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stowage-clients-"));
  service = await aService();
  const document = await fetch(`${service.url}/openapi-3.0.json`, { signal: AbortSignal.timeout(15_000) });
  await writeFile(join(folder, "openapi-3.0.json"), await document.text());
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Generates a client as docs/clients.md describes it. */
async function generate(generator: string, output: string): Promise<void> {
  const program = process.env["STOWAGE_GENERATOR"];
  if (!program) throw new Error("Run `pnpm lab generated-clients`: it installs the generator");
  const args = [
    "generate",
    "-i",
    "openapi-3.0.json",
    "-g",
    generator,
    "-o",
    output,
    "--package-name",
    "stowage",
  ];
  await exec(program, args, { cwd: folder, timeout: TOOL_TIMEOUT_MS, maxBuffer: 1 << 26 });
}

const stored = /^contract\.txt \d+ stored 20\d\d-\d\d-\d\dT/;

describe("the client generated for Python", () => {
  let client: Client;
  beforeAll(async () => {
    await generate("python", "python");
    await writeFile(join(folder, "generated.py"), await readProgram("clients.md", "generated.py"));
    // Debian's Python, because the libraries that the client needs are Debian's.
    const env = { PYTHONPATH: join(folder, "python") };
    client = { command: "/usr/bin/python3", args: ["generated.py"], folder, service, env };
  });

  test("uploads, completes, downloads and deletes a file", async () => {
    expect(await expectWholeLifeOfAFile(client)).toMatch(stored);
  });

  test("has the code of an error", () => expectTheCodeOfAnError(client));

  test("can import the module of every call and of every schema", async () => {
    const all =
      "import pkgutil, stowage.api, stowage.models; print(len(list(pkgutil.iter_modules(stowage.models.__path__))))";
    const { stdout } = await exec("/usr/bin/python3", ["-c", all], {
      env: client.env!,
      timeout: TOOL_TIMEOUT_MS,
    });
    expect(Number(stdout)).toBeGreaterThan(40);
  });
});

describe("the client generated for Go", () => {
  let client: Client;
  beforeAll(async () => {
    await generate("go-experimental", "go/src/stowage");
    await writeFile(join(folder, "generated.go"), await readProgram("clients.md", "generated.go"));
    const env = {
      HOME: folder,
      GO111MODULE: "off",
      GOPATH: `${join(folder, "go")}:${DEBIAN_GO_PATH}`,
      GOCACHE: join(folder, "cache"),
    };
    const options = { cwd: folder, env: { ...process.env, ...env }, timeout: TOOL_TIMEOUT_MS };
    // Compiles every call and every schema.
    await exec("go", ["build", "-o", "generated", "generated.go"], options);
    client = { command: join(folder, "generated"), args: [], folder, service };
  });

  test("uploads, completes, downloads and deletes a file", async () => {
    expect(await expectWholeLifeOfAFile(client)).toMatch(stored);
  });

  test("has the code of an error", () => expectTheCodeOfAnError(client));
});
