// `pnpm lab ceph`: runs the service's whole suite with Ceph instead of dev-store, and the tests of what dev-store does not have, such as
// bucket notifications. `ceph own` runs only these. Other arguments are passed to vitest: `ceph test/acceptance/wire` asks the cases of
// `stowage verify` in two minutes. With CEPH_ENCRYPTED=1 Ceph encrypts every object.
import { join } from "node:path";
import { CreateBucketCommand, PutBucketPolicyCommand, S3Client } from "@aws-sdk/client-s3";
import { run } from "../scripts/install.mjs";
import { installCeph, startCeph } from "./ceph/ceph-cluster.mjs";
import { runLab } from "./run-lab.mjs";

const root = join(import.meta.dirname, "..");
const BUCKET = "stowage-test";
const TIMEOUT_MS = 3_600_000;
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
  Object.assign(process.env, {
    S3_ENDPOINT: ceph.endpoint,
    S3_REGION: "us-east-1",
    S3_BUCKET: BUCKET,
    S3_PUBLIC_BUCKET: PUBLIC_BUCKET,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    CEPH_LIMITED_USER: JSON.stringify(ceph.limitedUser),
  });
  const args = process.argv.slice(2);
  if (args[0] === "own") {
    status = runLab("ceph", args.slice(1));
  } else {
    const build = ["run", "build", "--filter=@stowage/service...", "--output-logs=errors-only"];
    status =
      run(root, "turbo", build) ||
      run(root, "vitest", ["run", "--root", "apps/service", ...args], { timeoutMs: TIMEOUT_MS }) ||
      (args.length === 0 ? runLab("ceph", []) : 0);
  }
} finally {
  await ceph.stop();
}
process.exit(status);
