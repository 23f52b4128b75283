import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  aCredentialSource,
  CONTAINER_TOKEN,
  type CredentialSource,
  WEB_IDENTITY_TOKEN,
} from "../../test/fixtures/a-credential-source.js";
import { loadFromDefaultChain } from "./default-chain.js";

let dir: string;
const aFile = (name: string, content: string) => {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "stowage-credentials-"));
  // The chain must not find what this machine has.
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) vi.stubEnv(name, undefined);
  vi.stubEnv("AWS_CONFIG_FILE", join(dir, "config"));
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(dir, "credentials"));
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("AWS_REGION", "eu-central-1");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

/** The variables that lead the chain to the source. */
const sources: Record<string, (source: CredentialSource) => Record<string, string>> = {
  "web identity": ({ url }) => ({
    AWS_ENDPOINT_URL_STS: url,
    AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/stowage",
    AWS_WEB_IDENTITY_TOKEN_FILE: aFile("token", WEB_IDENTITY_TOKEN),
  }),
  "a web identity in a profile": ({ url }) => {
    const token = aFile("token", WEB_IDENTITY_TOKEN);
    aFile(
      "config",
      `[profile pod]\nrole_arn = arn:aws:iam::123456789012:role/stowage\nweb_identity_token_file = ${token}\n`,
    );
    return { AWS_ENDPOINT_URL_STS: url, AWS_PROFILE: "pod" };
  },
  "ECS and EKS": ({ url }) => ({
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: aFile("token", CONTAINER_TOKEN),
  }),
  "EC2's metadata": ({ url }) => ({
    AWS_EC2_METADATA_DISABLED: "false",
    AWS_EC2_METADATA_SERVICE_ENDPOINT: url,
  }),
};
const TIMEOUT_MS = 60_000;

const lead = (source: CredentialSource, name: string) => {
  for (const [variable, value] of Object.entries(sources[name]!(source))) vi.stubEnv(variable, value);
};

test.each(Object.keys(sources))(
  "%s gives a session with its end, and the next one at the next call",
  async (name) => {
    const source = await aCredentialSource();
    lead(source, name);
    const loaded = [await loadFromDefaultChain(TIMEOUT_MS), await loadFromDefaultChain(TIMEOUT_MS)];
    expect(loaded).toEqual(source.sessions);
    expect(loaded).toHaveLength(2);
  },
);

test.each(Object.keys(sources))("%s that refuses is an error", async (name) => {
  const source = await aCredentialSource();
  lead(source, name);
  source.mode = "refuse";
  await expect(loadFromDefaultChain(TIMEOUT_MS)).rejects.toThrow();
  expect(source.sessions).toEqual([]);
});

test("EC2's metadata that answer a session of the past are not believed to extend it", async () => {
  const source = await aCredentialSource(-60);
  lead(source, "EC2's metadata");
  const { expiration } = await loadFromDefaultChain(TIMEOUT_MS);
  expect(expiration).toEqual(source.sessions[0]!.expiration);
});

test("STS that does not answer is given up after the time limit", async () => {
  const source = await aCredentialSource();
  lead(source, "web identity");
  source.mode = "hang";
  await expect(loadFromDefaultChain(100)).rejects.toThrow(/timeout/i);
});

test("the keys of a profile are read again after the file has changed", async () => {
  const write = (name: string) =>
    aFile(
      "credentials",
      `[default]\naws_access_key_id = ${name}\naws_secret_access_key = secret of ${name}\n`,
    );
  for (const name of ["FIRST", "SECOND"]) {
    write(name);
    expect(await loadFromDefaultChain(TIMEOUT_MS)).toEqual({
      accessKeyId: name,
      secretAccessKey: `secret of ${name}`,
    });
  }
});

test("a process that a profile names gives a session", async () => {
  const end = "2026-11-29T13:00:00.000Z";
  const answer = { Version: 1, AccessKeyId: "A", SecretAccessKey: "B", SessionToken: "C", Expiration: end };
  const program = aFile("print.mjs", `console.log(${JSON.stringify(JSON.stringify(answer))})`);
  aFile("config", `[default]\ncredential_process = ${process.execPath} ${program}\n`);
  vi.useFakeTimers({ now: new Date("2026-11-29T12:00:00Z"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await loadFromDefaultChain(TIMEOUT_MS)).toEqual({
    accessKeyId: "A",
    secretAccessKey: "B",
    sessionToken: "C",
    expiration: new Date(end),
  });
});

test("the variables of the environment give keys, also temporary ones", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "A");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "B");
  vi.stubEnv("AWS_SESSION_TOKEN", "C");
  expect(await loadFromDefaultChain(TIMEOUT_MS)).toEqual({
    accessKeyId: "A",
    secretAccessKey: "B",
    sessionToken: "C",
  });
});

test("without any source the error says so", async () => {
  await expect(loadFromDefaultChain(TIMEOUT_MS)).rejects.toThrow(
    "S3_ACCESS_KEY_ID is not set, and no source of the AWS SDK's default chain has credentials",
  );
});
