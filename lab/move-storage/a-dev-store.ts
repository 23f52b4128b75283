import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../packages/dev-store/dist/main.js", import.meta.url));

/** Starts dev-store as a process of its own, so that it does not share a core with the load. */
export async function aDevStore(
  dir: string,
  keys: { accessKeyId: string; secretAccessKey: string },
  name: string,
) {
  const [bucket, publicBucket] = [`files-${name}`, `public-${name}`];
  const child = fork(MAIN, {
    env: {
      PATH: process.env["PATH"],
      DEV_STORE_DIR: dir,
      DEV_STORE_ACCESS_KEY_ID: keys.accessKeyId,
      DEV_STORE_SECRET_ACCESS_KEY: keys.secretAccessKey,
      DEV_STORE_BUCKETS: bucket,
      DEV_STORE_PUBLIC_BUCKETS: publicBucket,
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [{ endpoint }] = (await once(child, "message")) as [{ endpoint: string }];
  return {
    endpoint,
    bucket,
    publicBucket,
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
