// `pnpm lab swift`: asks the cases of `stowage verify` of a service whose storage is OpenStack Swift. Arguments are passed to vitest for the
// service's tests: `swift test/verbs/settle`.
import { join } from "node:path";
import { run } from "../scripts/install.mjs";
import { installSwift, startSwift } from "./swift/swift-cluster.mjs";

const root = join(import.meta.dirname, "..");
const BUCKET = "stowage-test";
const PUBLIC_BUCKET = "stowage-test-public";
const ORIGIN = "https://app.example.com";
const TIMEOUT_MS = 3_600_000;

installSwift();
console.log("Starting Swift …");
const swift = await startSwift({ corsOrigin: ORIGIN });
let status = 1;
try {
  // s3api has no call for CORS rules, and asks every reader for a signature.
  const rules = {
    "X-Container-Meta-Access-Control-Allow-Origin": ORIGIN,
    "X-Container-Meta-Access-Control-Expose-Headers": "ETag Content-Range",
  };
  for (const name of [BUCKET, `${BUCKET}+segments`]) await swift.createContainer(name, rules);
  const publicUrl = await swift.createContainer(PUBLIC_BUCKET, { ...rules, "X-Container-Read": ".r:*" });
  Object.assign(process.env, {
    S3_ENDPOINT: swift.endpoint,
    S3_REGION: "us-east-1",
    S3_BUCKET: BUCKET,
    S3_PUBLIC_BUCKET: PUBLIC_BUCKET,
    PUBLIC_BASE_URL: publicUrl,
    S3_ACCESS_KEY_ID: swift.accessKeyId,
    S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
    S3_MAX_PARTS: "1000",
    BUCKET_WITH_CORS: BUCKET,
  });
  const args = process.argv.slice(2);
  const tests = args.length > 0 ? args : ["test/acceptance/wire"];
  const build = ["run", "build", "--filter=@stowage/service...", "--output-logs=errors-only"];
  status =
    run(root, "turbo", build) ||
    run(root, "vitest", ["run", "--root", "apps/service", ...tests], { timeoutMs: TIMEOUT_MS });
} finally {
  await swift.stop();
}
process.exit(status);
