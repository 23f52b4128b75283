// Writes src/dropzone-styles.ts from the style sheet of @stowage/react, so that both dropzones look the same.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { renderStyles } from "./render-styles.mjs";

const sheet = await readFile(fileURLToPath(import.meta.resolve("@stowage/react/styles.css")), "utf8");
await writeFile(new URL("../src/dropzone-styles.ts", import.meta.url), renderStyles(sheet));
