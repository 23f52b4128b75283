import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@stowage/dev-postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { builtDashboardDir } from "#paths.js";
import { aDebianServer } from "../fixtures/a-debian-server.js";
import { anOperator, anOwnedProject, DASHBOARD_URL, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";

/** What a configuration needs around the lines of docs/proxies.md. */
interface Place {
  dir: string;
  port: number;
  /** Host and port of the service. */
  service: string;
}

const APACHE_MODULES =
  "mpm_event authz_core slotmem_shm proxy proxy_http proxy_balancer lbmethod_byrequests".split(" ");
const isRoot = process.getuid?.() === 0;

const proxies = {
  nginx: {
    args: ({ dir }: Place) =>
      `-p ${dir} -c ${dir}/proxy.conf -e stderr -g`.split(" ").concat(`daemon off; pid ${dir}/pid;`),
    configure: ({ dir, port, service }: Place, lines: string) => `
      ${isRoot ? "user root;" : ""}
      events {}
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${dir}/${kind};`).join("")}
        upstream stowage { server ${service}; }
        server {
          listen 127.0.0.1:${port};
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_buffering off;
          ${lines}
        }
      }`,
  },
  caddy: {
    args: ({ dir }: Place) => ["run", "--adapter", "caddyfile", "--config", join(dir, "proxy.conf")],
    configure: ({ port, service }: Place, lines: string) =>
      `{\n\tadmin off\n}\n:${port} {\n${lines.replaceAll("10.0.0.11:4000", service)}\n}\n`,
  },
  apache2: {
    args: ({ dir }: Place) => ["-d", dir, "-f", join(dir, "proxy.conf"), "-DFOREGROUND"],
    configure: ({ dir, port, service }: Place, lines: string) => `
      ServerName proxy\nPidFile ${dir}/pid\nErrorLog ${dir}/error.log\nDefaultRuntimeDir ${dir}
      ${isRoot ? "User www-data\nGroup www-data" : ""}
      ${APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
      Listen 127.0.0.1:${port}
      ProxyPreserveHost On
      <Proxy balancer://stowage>\nBalancerMember http://${service}\n</Proxy>
      ${lines}`,
  },
};

let docs: string;
let service: RunningService;
beforeAll(async () => {
  docs = await readFile(new URL("../../../../docs/proxies.md", import.meta.url), "utf8");
  service = await aService({ DASHBOARD_URL: `${DASHBOARD_URL}/stowage`, DASHBOARD_DIR: builtDashboardDir });
});
afterAll(() => service.close());

/** What a cell of the table "Below a path" of docs/proxies.md says. */
function linesOf(title: string, column: number): string {
  const [, section = ""] = docs.split("\n## Below a path\n");
  const row = section.split("\n").find((line) => line.startsWith(`| ${title} |`)) ?? "";
  return [...row.split(" | ")[column]!.matchAll(/`([^`]+)`/g)].map(([, line]) => line!).join("\n");
}

async function aProxyBelow(program: keyof typeof proxies, lines: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `stowage-${program}-`));
  const place = { dir, port: await freePort(), service: new URL(service.url).host };
  const proxy = proxies[program];
  await writeFile(join(dir, "proxy.conf"), proxy.configure(place, lines));
  // Apache leaves root.
  await chmod(dir, 0o777);
  const server = await aDebianServer({ program, args: proxy.args(place), port: place.port, cwd: dir });
  onTestFinished(async () => {
    await server.end("SIGTERM");
    await rm(dir, { recursive: true, force: true });
  });
  return `http://127.0.0.1:${place.port}/stowage`;
}

const cases = [
  ["nginx", "nginx"],
  ["Caddy", "caddy"],
  ["Apache", "apache2"],
] as const;

describe.each(cases.flatMap(([title, program]) => [1, 2].map((column) => ({ title, program, column }))))(
  "$title, column $column of the table",
  ({ title, program, column }) => {
    test("serves pages, documentation, sign-in, live feed, exports and the API", async () => {
      const address = await aProxyBelow(program, linesOf(title, column));
      await expectPages(address);
      await expectDocs(address);
      await expectSession(address);
    });
  },
);

const BROWSER = { Accept: "text/html" };

async function expectPages(address: string): Promise<void> {
  for (const path of ["", "/", "/projects/a/files?q=b", "/invitation"]) {
    const page = await fetch(address + path, { headers: BROWSER });
    expect([path, page.status]).toEqual([path, 200]);
    await expectLoads(address, await page.text(), "/stowage/assets/");
  }
  const description = (await (await fetch(`${address}/`)).json()) as Record<"docs" | "openapi", string>;
  expect(description.docs).toBe("/stowage/docs/api.md");
  for (const path of [description.docs, description.openapi])
    expect((await fetch(new URL(path, address))).status).toBe(200);
}

/** Loads every script, style and icon of a page. */
async function expectLoads(address: string, page: string, folder: string): Promise<void> {
  const files = [...page.matchAll(/<(?:script|link)\b[^>]*? (?:src|href)="([^"]+)"/g)].map(
    ([, file]) => file!,
  );
  expect(files.filter((file) => file.startsWith(folder))).not.toEqual([]);
  for (const file of files.filter((each) => !each.startsWith("data:"))) {
    const { status, headers } = await fetch(new URL(file, address));
    expect([file, status, headers.get("content-type")]).toEqual([
      file,
      200,
      expect.not.stringContaining("json"),
    ]);
  }
}

async function expectDocs(address: string): Promise<void> {
  const redirect = await fetch(`${address}/docs/helper`, { headers: BROWSER, redirect: "manual" });
  expect([redirect.status, redirect.headers.get("location")]).toEqual([301, "/stowage/docs/helper/"]);
  const page = await fetch(`${address}/docs/helper/`, { headers: BROWSER });
  const text = await page.text();
  expect(page.headers.get("content-encoding")).toBe("gzip");
  expect(text).toContain('href="/stowage/docs/widget/"');
  expect(text).not.toContain('="/docs/');
  await expectLoads(address, text, "/stowage/docs/_astro/");
}

async function expectSession(address: string): Promise<void> {
  const owner = await anOperator(address);
  const cookies = (await owner.signIn()).headers.getSetCookie();
  expect(
    cookies.map((cookie) => /^([\w.]+?)(?:\.[\w-]{12})?=.*; Path=([^;]+)/.exec(cookie)?.slice(1)),
  ).toEqual([
    ["stowage.session_token", "/stowage"],
    ["stowage.device", "/stowage/auth"],
  ]);
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const upload = async (base: string, filename: string) => {
    const answer = await fetch(`${base}/api/storage/upload/`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ tenant_id: "t", filename }),
    });
    expect(answer.status).toBe(200);
  };
  const live = new AbortController();
  let received = "";
  let isConnected = false;
  const reading = (async () => {
    for await (const { event, data } of owner.subscribe("overview.uploads", { projectRef }, live.signal)) {
      isConnected ||= event === "connected";
      received += JSON.stringify(data);
    }
  })().catch(() => undefined);
  await expect.poll(() => isConnected, { timeout: 60_000 }).toBe(true);
  for (const [base, filename] of [
    [address, "below.txt"],
    [service.url, "own-host.txt"],
  ] as const) {
    await upload(base, filename);
    await expect.poll(() => received, { timeout: 60_000 }).toContain(filename);
  }
  live.abort();
  await reading;
  const csv = await fetch(`${address}/dashboard/export/files.csv?projectRef=${projectRef}`, {
    headers: { Cookie: cookieOf(owner) },
  });
  expect([csv.status, await csv.text()]).toEqual([200, expect.stringContaining("below.txt")]);
  expect((await owner.auth("sign-out", {})).status).toBe(200);
  expect((await owner.query("session.me")).code).toBe("signed_out");
}

/** With the session of a dashboard that was at the root of this host: browsers send the cookie of the longer path first. */
function cookieOf({ cookies }: Person): string {
  return [
    ...[...cookies].map(([name, value]) => `${name}=${value}`),
    "stowage.session_token=of.another",
  ].join("; ");
}
