import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { aBrokenProxy, type Damage, type PassingAnswer } from "../fixtures/a-broken-proxy.js";
import { aBucket } from "../fixtures/a-bucket.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { stowage } from "../fixtures/command-line.js";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

let settings: Record<string, string>;
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  // A bucket whose CORS rules are for another page.
  settings = { ...inject("servers"), S3_BUCKET: await aBucket(), SWEEP_INTERVAL_MS: "0" };
  await stowage(["cors", "apply", "--origin", "https://other.example.com"], settings);
  service = await aProcess({ ...settings, PORT: "0", DASHBOARD_DIR: "none" });
  const created = await stowage(["project", "create", "Verified", "--json"], settings);
  key = (JSON.parse(created.stdout) as { api_key: string }).api_key;
});
afterAll(() => service.kill());

const verify = (url: string, ...args: string[]) =>
  stowage(["verify", url, ...args], { ...settings, STOWAGE_API_KEY: key });

async function leftTenants(): Promise<string[]> {
  const answer = await fetch(`${service.url}/api/storage/tenants/`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { tenants } = (await answer.json()) as { tenants: { tenant_id: string }[] };
  return tenants.map(({ tenant_id }) => tenant_id);
}

test("a sound service passes, and nothing is left in its project", async () => {
  const { code, stdout } = await verify(service.url, "--profile", "smoke");
  expect(stdout).toMatch(
    /profile smoke: \d+ passed, 0 failed, 0 left out\.\n.*Deleted the run's \d+ tenants/,
  );
  expect(code).toBe(0);
  expect(await leftTenants()).toEqual([]);
});

const MAX_BYTES = 300;

const damages: [string, () => Damage, string][] = [
  [
    "drops a header",
    () => without("x-error-code"),
    "The header x-error-code of the service's answers does not arrive.",
  ],
  [
    "rewrites a status",
    () => (answer) => ({ ...answer, status: answer.status === 404 ? 200 : answer.status }),
    "Something between here and the service changes the status of its answers.",
  ],
  ["caches a list", cachingLists, "A cache in front of the service answers with an earlier answer."],
  [
    "truncates bodies",
    () => (answer) => ({ ...answer, body: answer.body.subarray(0, MAX_BYTES) }),
    "The service's answers arrive incomplete.",
  ],
  [
    "answers errors with a page of its own",
    () => errorPage,
    "Something else than the service answers: the body is not JSON.",
  ],
];

const without =
  (name: string): Damage =>
  (answer) => ({
    ...answer,
    headers: Object.fromEntries(Object.entries(answer.headers).filter(([header]) => header !== name)),
  });

function cachingLists(): Damage {
  const kept = new Map<string, PassingAnswer>();
  return (answer, { method, url = "" }) => {
    const isList = method === "GET" && url.startsWith("/api/storage/files/");
    if (!isList) return answer;
    kept.set(url, kept.get(url) ?? answer);
    return kept.get(url)!;
  };
}

const errorPage: Damage = (answer) =>
  answer.status < 400
    ? answer
    : {
        status: answer.status,
        headers: { "content-type": "text/html" },
        body: Buffer.from("<h1>Error</h1>"),
      };

describe("a proxy that", () => {
  test.each(damages)("%s is named as the cause, with what to do", async (_what, damage, cause) => {
    const proxy = await aBrokenProxy(service.url, damage());
    const { code, stdout, stderr } = await verify(proxy.url, "--profile", "smoke");
    proxy.close();
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toContain(`cause:     ${cause}`);
    for (const line of ["FAILED  ", "asked:  ", "expected:  ", "got:  ", "to do:  "])
      expect(stdout).toContain(line);
    expect(stdout).not.toContain(key);
    expect(stdout).not.toContain("X-Amz-Signature");
    expect(await leftTenants()).toEqual([]);
  });
});

test("a bucket without a CORS rule for the pages is named, with the command that makes the rule", async () => {
  const { code, stdout } = await verify(
    service.url,
    "--origin",
    "https://app.example.com",
    "--only",
    "a page of your origin",
  );
  expect(stdout).toContain("The bucket has no CORS rule that lets pages of https://app.example.com do this.");
  expect(stdout).toContain("stowage cors apply --origin https://app.example.com");
  expect(code).toBe(1);
});

test("the JSON report has each case, and neither the key nor a signature", async () => {
  const proxy = await aBrokenProxy(service.url, without("x-error-code"));
  const { stdout } = await verify(proxy.url, "--profile", "smoke", "--json");
  proxy.close();
  const report = JSON.parse(stdout) as { results: Record<string, unknown>[]; left_tenants: unknown[] };
  const failed = report.results.filter(({ outcome }) => outcome === "failed");
  expect(failed.length).toBeGreaterThan(0);
  for (const member of ["asked", "expected", "got", "request_id", "cause", "what_to_do"])
    expect(failed[0]).toHaveProperty(member, expect.any(String));
  expect(report.left_tenants).toEqual([]);
  expect(stdout).not.toMatch(/stow_live_|X-Amz-Signature/);
});

describe("what cannot be verified ends with 2 and one sentence:", () => {
  test.each<[string, () => Promise<{ code: number; stdout: string; stderr: string }>, RegExp]>([
    ["a refused key", () => verify(service.url, "--key", "stow_live_x"), /^The service refuses the key\./],
    ["no key", () => stowage(["verify", service.url], settings), /^Give the API key/],
    ["another server", () => verify(settings["S3_ENDPOINT"]!), /is not a Stowage service/],
    ["no server", () => verify("http://127.0.0.1:2"), /does not answer: no answer \(ECONNREFUSED/],
    ["no such case", () => verify(service.url, "--only", "nothing like this"), /^No case of this profile/],
  ])("%s", async (_what, run, sentence) => {
    const { code, stdout, stderr } = await run();
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

test("Ctrl-C ends the cases, deletes what they created, and ends with 2", async () => {
  const child = spawn(process.execPath, [CLI, "verify", service.url, "--profile", "full"], {
    env: { PATH: process.env["PATH"], STOWAGE_API_KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  await expect.poll(async () => (await leftTenants()).length).toBeGreaterThan(3);
  child.kill("SIGINT");
  const [code] = (await once(child, "exit")) as [number];
  const [stdout, stderr] = await output;
  expect(stderr).toContain("Interrupted. Deleting what the run created.");
  expect(stdout).toMatch(/\d+ cases: the run was interrupted/);
  expect(code).toBe(2);
  expect(await leftTenants()).toEqual([]);
});
