import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WEBHOOK_SECRET_PREFIX, webhookKeyBytes } from "@stowage/schemas";
import { generateApiKey } from "@stowage/service/api-key";
import { expect, onTestFinished, test } from "vitest";
import { findSecrets, SECRET_PATTERNS } from "../src/find-secrets.js";
import { root } from "../src/root.js";

/** Examples of AWS's documentation. Each may be in this one file only. */
const EXAMPLES = [
  {
    file: "apps/service/src/object-store/presign.test.ts",
    kind: "S3 secret",
    reason: "The signature of AWS's documentation for these credentials is known.",
  },
  {
    file: "lab/bench/src/rows/signing.ts",
    kind: "S3 secret",
    reason: "Signs with the same credentials as presign.test.ts.",
  },
  {
    file: "packages/dev-store/src/body/decode-aws-chunked.test.ts",
    kind: "AWS access key",
    reason: "The chunked upload of AWS's documentation.",
  },
];

test("the repository contains no secret", async () => {
  const found = await findSecrets(root);
  const isExample = ({ file, kind, secret }: (typeof found)[number]) =>
    secret.includes("EXAMPLE") && EXAMPLES.some((each) => each.file === file && each.kind === kind);
  const leaked = found.filter((each) => !isExample(each));
  // Without the secret itself: this message is in the log of CI.
  expect(leaked.map(({ kind, file, line }) => `${kind} in ${file}:${line}`)).toEqual([]);
  const used = new Set(found.filter(isExample).map(({ file }) => file));
  expect(EXAMPLES.filter(({ file }) => !used.has(file))).toEqual([]);
});

const webhookSecret = (bytes: number) => WEBHOOK_SECRET_PREFIX + randomBytes(bytes).toString("base64");
test.each([
  ["API key", generateApiKey(randomBytes)],
  ["webhook secret", webhookSecret(webhookKeyBytes.min)],
  ["webhook secret", webhookSecret(32)],
  ["webhook secret", webhookSecret(webhookKeyBytes.max)],
  ["AWS access key", `AKIA${randomBytes(8).toString("hex").toUpperCase()}`],
  ["S3 secret", `S3_SECRET_ACCESS_KEY="${randomBytes(30).toString("base64")}"`],
  ["S3 secret", `{ "secretAccessKey": "${randomBytes(30).toString("base64")}" }`],
  ["S3 secret", `S3_SECRET_ACCESS_KEY=${randomBytes(30).toString("base64")}`],
  ["private key", `-----BEGIN EC PRIVATE KEY-----\n${randomBytes(48).toString("base64")}`],
])("finds a planted %s", async (kind, planted) => {
  const folder = await mkdtemp(join(tmpdir(), "stowage-secrets-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "a"));
  await writeFile(join(folder, "a", "notes.txt"), `first line\nbefore ${planted} after\n`);
  const [found, ...others] = await findSecrets(folder);
  expect(found).toMatchObject({ kind, file: "a/notes.txt", line: 2 });
  expect(planted).toContain(found!.secret);
  expect(others).toEqual([]);
});

test("SECURITY.md has the patterns of our keys for secret scanners", async () => {
  const page = await readFile(join(root, "SECURITY.md"), "utf8");
  expect(page).toContain(SECRET_PATTERNS["API key"]!.source);
  expect(page).toContain(SECRET_PATTERNS["webhook secret"]!.source);
});
