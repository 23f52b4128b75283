// Bundles the trimmed react-dropzone into the one built module that uses it, and copies its licence into dist/licenses.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { trimDropzone } from "@stowage/dropzone";
import { copyLicense } from "@stowage/third-party/copy-license";
import { rolldown } from "rolldown";

const BUNDLED = ["use-file-dropzone", "react-dropzone"];

const root = fileURLToPath(new URL("..", import.meta.url));
const dropzone = join(dirname(createRequire(import.meta.url).resolve("react-dropzone")), "..");
const version = await copyLicense(dropzone, join(root, "dist"));

const bundle = await rolldown({
  cwd: root,
  input: "src/parts/use-file-dropzone.ts",
  external: (id) => !BUNDLED.some((name) => id.includes(name)),
  plugins: [trimDropzone()],
  experimental: { attachDebugInfo: "none" },
});
await bundle.write({
  file: join(root, "dist/parts/use-file-dropzone.js"),
  sourcemap: true,
  sourcemapPathTransform: (path) => path.replace(/^.*\/node_modules\//, ""),
  banner: `// Contains the parts of react-dropzone ${version} that the widget uses (MIT, see ../licenses/react-dropzone.txt).`,
});
