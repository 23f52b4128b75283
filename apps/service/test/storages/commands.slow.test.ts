import { GetBucketCorsCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { aService } from "../fixtures/a-service.js";
import { stowage } from "../fixtures/command-line.js";
import { type TestStorage, twoStorages } from "../fixtures/two-storages.js";

/* What the command line does on an installation with two storages, each a server of its own. */

const ORIGIN = "https://app.example.com";

interface Finding {
  name: string;
  verdict: string;
  storage: string;
}

let installation: Awaited<ReturnType<typeof twoStorages>>;
beforeAll(async () => {
  installation = await twoStorages();
});
afterEach(async () => {
  await installation.eu.proxy.bringBack();
  await installation.us.proxy.bringBack();
});
afterAll(() => installation.close());

const originsOf = async ({ client, bucket }: TestStorage) => {
  const { CORSRules = [] } = await client.send(new GetBucketCorsCommand({ Bucket: bucket }));
  return CORSRules.map(({ AllowedOrigins }) => AllowedOrigins);
};

async function doctor(...args: string[]) {
  const command = ["doctor", "--json", "--origin", ORIGIN, ...args];
  const { code, stdout } = await stowage(command, installation.settings);
  return { code, findings: (JSON.parse(stdout) as { findings: Finding[] }).findings };
}

const namesOf = (findings: Finding[], ...verdicts: string[]) =>
  findings.filter(({ verdict }) => verdicts.includes(verdict)).map(({ name }) => name);

test("cors apply sets the rules of all buckets of all storages, and of one with --storage", async () => {
  const { eu, us, settings } = installation;
  const apply = (...args: string[]) => stowage(["cors", "apply", "--json", ...args], settings);
  const { code, stdout } = await apply("--origin", ORIGIN);
  expect(code).toBe(0);
  const rule = [{ id: "stowage", origins: [ORIGIN] }];
  const publicRule = [{ id: "stowage", origins: ["*"] }];
  expect(JSON.parse(stdout)).toMatchObject({
    storages: [
      { storage: "eu", rules: rule, public_rules: publicRule },
      { storage: "us", rules: rule, public_rules: publicRule },
    ],
  });
  const other = "https://us.example.com";
  expect((await apply("--origin", other, "--origin", ORIGIN, "--storage", "us")).code).toBe(0);
  expect([await originsOf(eu), await originsOf(us)]).toEqual([[[ORIGIN]], [[other, ORIGIN]]]);
  const unknown = await apply("--origin", ORIGIN, "--storage", "mars");
  expect([unknown.code, unknown.stderr]).toEqual([1, "STORAGES_FILE has no storage of this name.\n"]);
});

test("doctor examines each storage, the database once, and says which storage is broken", async () => {
  const both = await doctor();
  expect(namesOf(both.findings, "warn", "fail", "skip")).toEqual([]);
  expect(both.findings.filter(({ name }) => name === "Database")).toHaveLength(1);
  const linesOf = (storage: string) => both.findings.filter((finding) => finding.storage === storage);
  expect(
    linesOf("eu")
      .filter(({ name }) => name !== "Database")
      .map(({ name }) => name),
  ).toEqual(linesOf("us").map(({ name }) => name));
  expect(namesOf(linesOf("us"), "ok")).toEqual(expect.arrayContaining(["Upload and download", "CORS"]));

  await installation.us.proxy.takeDown();
  const { code, findings } = await doctor();
  expect(code).toBe(3);
  const bad = findings.filter(({ verdict }) => ["fail", "skip"].includes(verdict));
  expect(namesOf(bad, "fail")).toContain("Bucket reachable");
  expect(new Set(bad.map(({ storage }) => storage))).toEqual(new Set(["us"]));
  const one = await doctor("--storage", "eu");
  expect([one.code, new Set(one.findings.map(({ storage }) => storage))]).toEqual([
    both.code,
    new Set(["eu"]),
  ]);
});

test("verify asks the storage of the key's project, also while the default storage is down", async () => {
  const { settings, eu, us } = installation;
  const service = await aService({ ...settings, S3_TIMEOUT_MS: "5000" });
  const created = await stowage(["project", "create", "Harbour", "--storage", "us", "--json"], settings);
  const { api_key } = JSON.parse(created.stdout) as { api_key: string };
  await eu.proxy.takeDown();
  const args = ["verify", service.url, "--profile", "smoke", "--origin", ORIGIN];
  const { code, stdout } = await stowage(args, { STOWAGE_API_KEY: api_key });
  expect(stdout).toMatch(/profile smoke: \d+ passed, 0 failed/);
  expect([code, await us.objects()]).toEqual([0, []]);
  await service.close();
});
