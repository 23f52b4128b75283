// Bundles the worker that computes MD5s into one module, because a worker does not see the import maps of its page. Copies the
// licences of what it contains into dist/licenses.
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyLicense } from "@stowage/third-party/copy-license";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const packages = [
  { name: "hash-wasm", folder: join(dirname(require.resolve("hash-wasm")), "..") },
  { name: "noble-hashes", folder: dirname(require.resolve("@noble/hashes/legacy.js")) },
];

const bundle = await rolldown({
  cwd: root,
  input: "src/resume/md5-worker.ts",
  experimental: { attachDebugInfo: "none" },
});
const contents = await Promise.all(
  packages.map(async ({ name, folder }) => `${name} ${await copyLicense(folder, join(root, "dist"))}`),
);
await bundle.write({
  file: join(root, "dist/resume/md5-worker.js"),
  codeSplitting: false,
  banner: `// Contains ${contents.join(" and ")} (MIT, see ../licenses).`,
});
// That of the compiler does not fit any more, and one of the bundle would be ten times as large as the code.
await rm(join(root, "dist/resume/md5-worker.js.map"), { force: true });
