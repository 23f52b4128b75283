import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { readManifest } from "./fixtures/published.js";
import { run } from "./fixtures/run.js";

const { react19 } = inject("customers");
const FOLDER = join(react19, "node_modules/@stowage/element");

interface Described {
  name: string;
  description?: string;
}
interface ElementDeclaration extends Record<
  "attributes" | "events" | "slots" | "cssParts" | "cssProperties",
  Described[]
> {
  tagName: string;
  members: (Described & { kind: string; attribute?: string })[];
}

async function readElement(): Promise<ElementDeclaration> {
  const { customElements } = await readManifest(FOLDER);
  const manifest = JSON.parse(await readFile(join(FOLDER, customElements!), "utf8")) as {
    modules: { declarations: ElementDeclaration[] }[];
  };
  return manifest.modules[0]!.declarations[0]!;
}
const namesOf = (described: Described[]) => described.map(({ name }) => name).sort();
const read = (path: string) => readFile(join(FOLDER, path), "utf8");

test("the custom elements manifest describes each attribute, property, event, slot, part and variable", async () => {
  const element = await readElement();
  expect(element.tagName).toBe("stowage-dropzone");
  const { attributes, members, events, slots, cssParts, cssProperties } = element;
  for (const described of [attributes, members, events, slots, cssParts, cssProperties]) {
    expect(described.length).toBeGreaterThan(3);
    expect(described.filter(({ description = "" }) => description === "")).toEqual([]);
  }
});

test("the manifest names exactly the attributes, parts, slots and variables that the element has", async () => {
  const { attributes, cssParts, cssProperties, slots, events } = await readElement();
  const print = `import("@stowage/element").then((e) => console.log(e.StowageDropzone.observedAttributes.join()))`;
  const printed = await run(process.execPath, ["-e", print], { cwd: react19, timeoutMs: 120_000 });
  const observed = printed.trim().split(",");
  expect([...namesOf(attributes), "lang"].sort()).toEqual(observed.sort());

  const templates = await Promise.all(
    [
      "input/render-area",
      "list/render-row",
      "list/render-resumable",
      "list/render-summary",
      "list/file-rows",
      "list/image-preview",
      "stowage-dropzone",
    ].map((file) => read(`dist/${file}.js`)),
  );
  const code = templates.join("\n");
  const fixed = [...code.matchAll(/(?<!-)part="([^"]+)"/g)].flatMap(([, parts = ""]) => parts.split(" "));
  const known = namesOf(cssParts);
  expect([...new Set(fixed)].filter((part) => !part.includes("$") && !known.includes(part))).toEqual([]);
  const slotNames = [...code.matchAll(/<slot(?: name="(\w+)")?>/g)].map(([, name = ""]) => name);
  expect(slotNames.sort()).toEqual(namesOf(slots));

  const styles = await read("dist/dropzone-styles.js");
  const variables = new Set([...styles.matchAll(/var\((--stowage-[\w-]+)/g)].map(([, name = ""]) => name));
  expect(namesOf(cssProperties)).toEqual([...variables].sort());
  expect(namesOf(events)).toEqual([
    "change",
    "stowage-failed",
    "stowage-list",
    "stowage-settled",
    "stowage-uploaded",
  ]);
});
