// `pnpm test:ceph`: runs the service's whole suite with Ceph instead of dev-store. Arguments are passed to vitest. It is
// not part of `npm test`, because Ceph comes from Debian and not from npm. With CEPH_ENCRYPTED=1 Ceph encrypts every object.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installCeph, startCeph } from "./ceph-cluster.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const service = join(root, "apps", "service");
const { CreateBucketCommand, PutBucketPolicyCommand, S3Client } = createRequire(
  join(service, "package.json"),
)("@aws-sdk/client-s3");
const BUCKET = "stowage-test";
const PUBLIC_BUCKET = "stowage-test-public";

installCeph();
console.log("Starting Ceph …");
const ceph = await startCeph();
let status = 1;
try {
  const credentials = { accessKeyId: ceph.accessKeyId, secretAccessKey: ceph.secretAccessKey };
  const client = new S3Client({
    endpoint: ceph.endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials,
  });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  await client.send(new CreateBucketCommand({ Bucket: PUBLIC_BUCKET }));
  const readable = {
    Effect: "Allow",
    Principal: "*",
    Action: ["s3:GetObject"],
    Resource: [`arn:aws:s3:::${PUBLIC_BUCKET}/*`],
  };
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [readable] });
  await client.send(new PutBucketPolicyCommand({ Bucket: PUBLIC_BUCKET, Policy }));
  const env = {
    ...process.env,
    PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}`,
    S3_ENDPOINT: ceph.endpoint,
    S3_REGION: "us-east-1",
    S3_BUCKET: BUCKET,
    S3_PUBLIC_BUCKET: PUBLIC_BUCKET,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    CEPH_LIMITED_USER: JSON.stringify(ceph.limitedUser),
  };
  const run = (command, args, cwd) =>
    spawnSync(command, args, { cwd, env, stdio: "inherit", timeout: 20 * 60_000 }).status ?? 1;
  status = run("turbo", ["run", "build", "--filter=@stowage/service...", "--output-logs=errors-only"], root);
  // `ceph` as the first argument leaves the service's own suite out.
  const [first, ...others] = process.argv.slice(2);
  if (first !== "ceph") status ||= run("vitest", ["run", ...process.argv.slice(2)], service);
  status ||= run(
    "vitest",
    ["run", "--config", "vitest.ceph.config.ts", "--project", "ceph", ...(first === "ceph" ? others : [])],
    service,
  );
} finally {
  await ceph.stop();
}
process.exit(status);
