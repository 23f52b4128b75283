import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@stowage/dev-postgres";
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { sniffImage } from "@stowage/service/src/images/sniff-image.js";
import { aDatabase } from "@stowage/service/test/fixtures/a-database.js";
import { aStoredFile } from "@stowage/service/test/fixtures/a-stored-file.js";
import { call } from "@stowage/service/test/fixtures/call.js";
import { aContainer, type Container, readImage } from "./a-container.js";

const image = readImage();
const running: Container[] = [];
afterEach(async () => {
  for (const { pid, exit } of running.splice(0)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    await exit;
  }
});

/** The settings of compose.yaml and of the ConfigMap that matter here. */
let settings: Record<string, string>;
beforeAll(async () => {
  const { url, drop } = await aDatabase({ migrated: false });
  settings = { ...inject("servers"), DATABASE_URL: url, MIGRATE: "off", DRAIN_SECONDS: "15" };
  return drop;
});

async function start(command?: string[], more: Record<string, string> = {}): Promise<Container> {
  const container = await aContainer(image, { ...settings, ...more }, command);
  running.push(container);
  return container;
}

/** Runs a command to its end. */
async function run(...command: string[]): Promise<{ code: number | null; output: string }> {
  const container = await start(command);
  const code = await container.exit;
  return { code, output: container.output() };
}

async function aService(more: Record<string, string> = {}) {
  const port = `${await freePort()}`;
  const container = await start(undefined, { PORT: port, ...more });
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(() => statusOf(`${url}/readyz`)).toBe(200);
  return { ...container, url, port };
}

const statusOf = (url: string) =>
  call(url).then(
    ({ status }) => status,
    () => 0,
  );

test("a replica refuses to start before the migration, and the job migrates", async () => {
  const early = await start();
  expect(await early.exit).toBe(1);
  expect(early.output()).toContain("Run stowage migrate");
  expect(await run("stowage", "migrate")).toEqual({
    code: 0,
    output: "The database has this version's schema.\n",
  });
});

describe("the service", () => {
  test("stores a file and serves dashboard and documentation, without root and on a read-only file system", async () => {
    const service = await aService();
    const { output } = await run("stowage", "project", "create", "Shop", "--json");
    const { api_key: key } = JSON.parse(output) as { api_key: string };
    const file = await aStoredFile(service.url, key, { bytes: "hello from a container" });
    const download = await call<{ presigned_url: string }>(`${service.url}/api/storage/download/`, {
      key,
      body: { file_path: file.file_path },
    });
    expect(await (await fetch(download.body.presigned_url)).text()).toBe("hello from a container");

    const page = await fetch(service.url, { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain('<div id="root">');
    const guide = await fetch(`${service.url}/docs/containers/`, { headers: { "Accept-Encoding": "br" } });
    expect(await guide.text()).toContain("<title>Containers | Stowage</title>");
    expect(guide.headers.get("content-encoding")).toBe("br");
    expect(await (await fetch(`${service.url}/docs/containers.md`)).text()).toContain("# Containers");

    const status = readFileSync(`/proc/${service.pid}/status`, "utf8");
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
    console.log(`memory in use: ${/^VmRSS:\s+(.+)$/m.exec(status)?.[1]}`);
  });

  test("is healthy by the image's own check, and not after its end", async () => {
    const { port, ...service } = await aService();
    const [kind, ...check] = image.healthcheck;
    expect(kind).toBe("CMD");
    const checkHealth = async () => (await (await start(check, { PORT: port })).exit) === 0;
    expect(await checkHealth()).toBe(true);
    service.signal("SIGTERM");
    await service.exit;
    expect(await checkHealth()).toBe(false);
  });

  test("ends within its time after SIGTERM, and says so", async () => {
    const service = await aService({ DRAIN_DELAY_SECONDS: "1" });
    const startedAt = performance.now();
    service.signal("SIGTERM");
    await expect.poll(() => statusOf(`${service.url}/readyz`), { interval: 20 }).toBe(503);
    expect(await service.exit).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(16_000);
    expect(service.output()).toContain('"end":"drained"');
  });
});

test("the doctor finds no failure", async () => {
  const { code, output } = await run("stowage", "doctor");
  expect(output).toMatch(/^ok +Database/m);
  expect(output).toMatch(/^ok +Upload by parts/m);
  // 2: dev-store has no failure, but the test's origin has no CORS rule to look at.
  expect([0, 2]).toContain(code);
});

test("the worker ends after SIGTERM", async () => {
  const worker = await start(["stowage", "worker"], { CLAMAV_URL: "tcp://127.0.0.1:1" });
  await expect.poll(worker.output).toContain("making image variants and scanning");
  worker.signal("SIGTERM");
  expect(await worker.exit).toBe(0);
});

// The photo has 12 megapixels, and each command of the image loads its programs from the disk.
const VARIANTS = { timeout: 300_000 };

test(
  "a worker makes variants of a photo in each format, under the image's Node and on a read-only file system",
  VARIANTS,
  async () => {
    const service = await aService();
    const { output } = await run("stowage", "project", "create", "Photos", "--json");
    const { api_key: key, project_ref: ref } = JSON.parse(output) as { api_key: string; project_ref: string };
    const formats = ["webp", "avif", "jpeg"] as const;
    for (const format of formats) {
      const set = ["preset", "set", format, "--project", ref, "--width", "1600", "--format", format];
      expect(await run("stowage", ...set)).toMatchObject({ code: 0 });
    }
    const file = await aStoredFile(service.url, key, { bytes: await aPhoto(), filename: "photo.jpg" });
    // The service has the port that the image sets.
    const worker = await start(["stowage", "worker"], { METRICS_PORT: "9465" });
    for (const format of formats) {
      const ask = () =>
        call<{ presigned_url: string }>(`${service.url}/api/storage/download/`, {
          key,
          body: { file_path: file.file_path, variant: format },
        });
      await expect
        .poll(async () => [(await ask()).status, worker.output()], { timeout: 90_000, interval: 500 })
        .toEqual([200, expect.any(String)]);
      const { body } = await ask();
      const bytes = await (await fetch(body.presigned_url)).arrayBuffer();
      expect(sniffImage(Buffer.from(bytes))).toBe(format);
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 1600, height: 1200 });
    }
    expect(worker.output()).not.toMatch(/decoder/);
    expect((await run("node", "--version")).output).toMatch(/^v24\./);
  },
);

/** As the sensor of a camera sees it: 12 megapixels with noise. */
async function aPhoto(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 20 } as const;
  const create = { width: 1000, height: 750, channels: 3, background: "#c63", noise } as const;
  const small = await sharp({ create }).png().toBuffer();
  return sharp(small).resize(4000, 3000).jpeg().toBuffer();
}

describe("the image", () => {
  const files = (readdirSync(join(image.rootDir, "app"), { recursive: true }) as string[]).toSorted();

  test("has no sources, source maps and package manager, and no packages but those of the image decoder", () => {
    expect(files).toContain("apps/service/dist/main.js");
    expect(
      files.filter((file) => /\.(ts|tsx|cc|map)$|(^|\/)test\/|\.test\.|\.env|\.npmrc/.test(file)),
    ).toEqual([]);
    const inPackages = files.filter((file) => file.includes("node_modules/"));
    const packages = inPackages.map((file) => /node_modules\/((?:@[^/]+\/)?[^/@]+)/.exec(file)?.[1]);
    const platform = `${process.platform}-${process.arch}`;
    expect([...new Set(packages)].filter(Boolean).toSorted()).toEqual([
      "@embedpdf/pdfium",
      "@img/colour",
      `@img/sharp-libvips-${platform}`,
      `@img/sharp-${platform}`,
      "@jsquash/jxl",
      "detect-libc",
      "libheif-js",
      "semver",
      "sharp",
    ]);
    const programs = readdirSync(join(image.rootDir, "usr/local/bin"));
    expect(programs.toSorted()).toEqual(["node", "stowage"]);
    expect(
      readdirSync(join(image.rootDir, "root")).filter((file) => file === ".npmrc" || file === ".npm"),
    ).toEqual([]);
  });

  test("has no file that its user may change", () => {
    const writable = execFileSync("find", [
      join(image.rootDir, "app"),
      "!",
      "-user",
      "root",
      "-o",
      "-perm",
      "/022",
      "!",
      "-type",
      "l",
    ]);
    expect(writable.toString()).toBe("");
  });

  test("names its bill of materials, which lists the packages in the bundle", () => {
    const file = image.labels["dev.stowage.sbom"]!;
    const sbom = JSON.parse(readFileSync(join(image.rootDir, file), "utf8")) as {
      bomFormat: string;
      components: { name: string; version: string }[];
    };
    expect(sbom.bomFormat).toBe("CycloneDX");
    const names = sbom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["fastify", "postgres", "better-auth", "react"]));
    expect(names).not.toContain("vitest");
  });

  test("has no settings of the machine that built it", () => {
    expect(
      image.env
        .map((line) => line.split("=")[0])
        .filter((name) => !/^(PATH|NODE_VERSION|YARN_VERSION)$/.test(name!)),
    ).toEqual(["NODE_ENV", "HOME", "HOST", "PORT", "METRICS_HOST", "METRICS_PORT"]);
  });
});
