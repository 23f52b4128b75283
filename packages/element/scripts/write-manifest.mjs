// Writes dist/custom-elements.json, which editors and documentation tools read: https://github.com/webcomponents/custom-elements-manifest
// The analyzer of that project reads single files, so it would miss the properties, which come from @stowage/client. This script
// reads types and docstrings of the built declarations. TypeScript 7 has no stable compiler API, so TypeScript 5 reads them.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import ts from "typescript-5";
import { declarations } from "../dist/dropzone-settings.js";

const CLASS = "StowageDropzone";
const TAG = "stowage-dropzone";
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const { name: packageName } = JSON.parse(await readFile(path("../package.json"), "utf8"));

const entry = path("../dist/index.d.ts");
const program = ts.createProgram([entry], {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: [],
});
const checker = program.getTypeChecker();
const exported = new Map(
  checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))
    .map((symbol) => [symbol.name, resolve(symbol)]),
);
const element = exported.get(CLASS);
const membersOf = (symbol) => checker.getDeclaredTypeOfSymbol(symbol).getProperties();

/** The properties that templates set, with their attributes. */
const fields = membersOf(exported.get("DropzoneProperties")).map((symbol) => ({
  kind: "field",
  name: symbol.name,
  type: typeOf(symbol),
  ...docsOf(symbol),
  ...defaultOf(symbol),
  ...attributeOf(symbol.name),
}));
const settable = new Set(fields.map(({ name }) => name));
/** What the element adds to them: its own public members, without those of Lit and the browser. */
const others = membersOf(element)
  .filter((symbol) => isOwn(symbol) && isPublic(symbol) && !settable.has(symbol.name))
  .map((symbol) => memberOf(symbol))
  .filter(({ name }) => !/Callback$|^constructor$/.test(name));
const events = membersOf(exported.get("DropzoneEventMap")).map((symbol) => ({
  name: symbol.name,
  type: typeOf(symbol),
  ...docsOf(symbol),
}));

const declaration = {
  kind: "class",
  customElement: true,
  name: CLASS,
  tagName: TAG,
  ...docsOf(element),
  superclass: { name: "LitElement", package: "lit" },
  attributes: fields
    .filter(({ attribute }) => attribute !== undefined)
    .map(({ attribute, name, type, description, default: byDefault }) => ({
      name: attribute,
      fieldName: name,
      type,
      description,
      ...(byDefault === undefined ? {} : { default: byDefault }),
    })),
  members: [...fields, ...others],
  events: [...events, { name: "change", type: { text: "Event" }, description: "`value` is another one." }],
  slots: tagsOf("slot"),
  cssParts: tagsOf("csspart"),
  cssProperties: tagsOf("cssprop"),
};
const module = "dist/index.js";
const reference = { name: CLASS, module };
const manifest = {
  schemaVersion: "2.1.0",
  readme: "README.md",
  modules: [
    {
      kind: "javascript-module",
      path: module,
      declarations: [declaration],
      exports: [
        { kind: "js", name: CLASS, declaration: reference },
        { kind: "custom-element-definition", name: TAG, declaration: reference },
      ],
    },
  ],
};
await writeFile(path("../dist/custom-elements.json"), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${packageName}: ${fields.length} properties, ${events.length + 1} events`);

function resolve(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The type as its declaration has it, without "undefined", which every property accepts. */
function typeOf(symbol) {
  const node = symbol.declarations[0].type;
  const text = node ? node.getText() : checker.typeToString(checker.getTypeOfSymbol(symbol));
  return {
    text: text
      .replaceAll(/\s+/g, " ")
      .replace(/^\| /, "")
      .replace(/ \| undefined$/, ""),
  };
}

function docsOf(symbol) {
  const text = ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replaceAll(/\s+/g, " ")
    .trim();
  return text === "" ? {} : { description: text };
}

function defaultOf(symbol) {
  const tag = symbol.getJsDocTags(checker).find(({ name }) => name === "default");
  return tag === undefined ? {} : { default: ts.displayPartsToString(tag.text) };
}

function attributeOf(property) {
  const { attribute = property.toLowerCase(), reflect } = declarations[property];
  return attribute === false ? {} : { attribute, reflects: reflect === true };
}

function memberOf(symbol) {
  const type = checker.getTypeOfSymbol(symbol);
  const [signature] = type.getCallSignatures();
  if (signature === undefined)
    return {
      kind: "field",
      name: symbol.name,
      readonly: true,
      type: { text: checker.typeToString(type) },
      ...docsOf(symbol),
    };
  return {
    kind: "method",
    name: symbol.name,
    parameters: signature.parameters.map((parameter) => ({ name: parameter.name, type: typeOf(parameter) })),
    return: { type: { text: checker.typeToString(signature.getReturnType()) } },
    ...docsOf(symbol),
  };
}

function isOwn(symbol) {
  return (
    symbol.declarations?.every((node) => node.getSourceFile().fileName.startsWith(path("../dist/"))) ?? false
  );
}

function isPublic(symbol) {
  const hidden = ts.ModifierFlags.Protected | ts.ModifierFlags.Private | ts.ModifierFlags.Static;
  return symbol.declarations.every(
    (node) => !(ts.getCombinedModifierFlags(node) & hidden) && !ts.isPrivateIdentifier(node.name ?? node),
  );
}

/** Tags such as `@csspart area - the area that asks for files`. */
function tagsOf(tagName) {
  return element
    .getJsDocTags(checker)
    .filter(({ name }) => name === tagName)
    .map(({ text }) => {
      const [, name, description] = /^(\S+)\s+-\s+([^]+)$/.exec(ts.displayPartsToString(text)) ?? [];
      if (tagName === "slot" && name === undefined)
        return { name: "", description: ts.displayPartsToString(text).replace(/^-\s+/, "") };
      return { name, description };
    });
}
