import { copyFile, mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { trimDropzone } from "@stowage/dropzone";
import { rolldown } from "rolldown";

/** Puts the trimmed react-dropzone into the one built module that uses it, and its licence beside it. */
const root = fileURLToPath(new URL("..", import.meta.url));
const dropzone = join(dirname(createRequire(import.meta.url).resolve("react-dropzone")), "..");
const { version } = JSON.parse(await readFile(join(dropzone, "package.json"), "utf8"));

const bundle = await rolldown({
  cwd: root,
  input: "src/parts/gestures.ts",
  external: (id) => !/gestures|react-dropzone/.test(id),
  plugins: [trimDropzone()],
  experimental: { attachDebugInfo: "none" },
});
await bundle.write({
  file: join(root, "dist/parts/gestures.js"),
  sourcemap: true,
  sourcemapPathTransform: (path) => path.replace(/^.*\/node_modules\//, ""),
  banner: `// With what the widget needs of react-dropzone ${version} (MIT, see ../licenses/react-dropzone.txt).`,
});
await mkdir(join(root, "dist/licenses"), { recursive: true });
await copyFile(join(dropzone, "LICENSE"), join(root, "dist/licenses/react-dropzone.txt"));
