import { fileURLToPath } from "node:url";
import { minify } from "terser";

/** Options of `useDropzone` for which `src/parts/use-file-dropzone.ts` passes nothing or always the same value, with that value. */
const OPTIONS = {
  maxSize: "undefined",
  minSize: "undefined",
  maxFiles: "0",
  onDragEnter: "undefined",
  onDragLeave: "undefined",
  onDragOver: "undefined",
  onDrop: "undefined",
  onDropAccepted: "undefined",
  onDropRejected: "undefined",
  onFileDialogCancel: "undefined",
  onFileDialogOpen: "undefined",
  useFsAccessApi: "false",
  autoFocus: "false",
  preventDropOnDocument: "true",
  noClick: "true",
  noKeyboard: "true",
  noDrag: "false",
  noDragEventsBubbling: "false",
  onError: "undefined",
  validator: "undefined",
  getErrorMessage: "undefined",
};

/** Functions without a task, because the widget itself keeps and checks the files, writes the messages and opens the file dialog. */
const UNUSED_FUNCTIONS = {
  setFiles: "() => {}",
  beginProcessing: "() => ({})",
  endProcessing: "() => {}",
  openFileDialog: "() => {}",
  onWindowFocus: "() => {}",
  onFileDialogCancelCb: "undefined",
  onFileDialogOpenCb: "undefined",
  pickerTypes: "undefined",
  fsAccessApiWorksRef: "undefined",
  onKeyDownCb: "undefined",
  onFocusCb: "undefined",
  onBlurCb: "undefined",
  onClickCb: "undefined",
  getInvalidTypeRejectionErr: "() => {}",
  // The size of a dragged file is unknown.
  fileMatchSize: "() => [true]",
  // The widget sets its own `accept` attribute.
  inputAcceptAttr: "undefined",
  Dropzone: "{}",
};

/** Functions that need less code, because the widget uses only a part of what they do. */
const SIMPLIFIED_FUNCTIONS = {
  onErrCb: "console.error",
  // All events are React events.
  isPropagationStopped: "(event) => event.isPropagationStopped()",
  getDragVerdict:
    '({ files, accept, multiple }) => (!multiple && files.length > 1) || files.some((file) => !fileAccepted(file, accept)[0]) ? "reject" : "accept"',
  // `accept` is one map whose keys are the types. `accepts` of the rules takes the list of types.
  flattenAccept: "(accept) => accept",
  acceptPropAsAcceptAttr: "Object.keys",
  // The widget reads only these three properties, and each action names the properties that it changes.
  initialState: "{ isDragActive: false, isDragReject: false, isDragGlobal: false }",
  reducer: '(state, { type, ...change }) => (type === "reset" ? initialState : { ...state, ...change })',
};

const FUNCTIONS = { ...UNUSED_FUNCTIONS, ...SIMPLIFIED_FUNCTIONS };

const RULES = "@stowage/schemas/rules";

/** Replacements of import declarations. */
const IMPORTS = {
  react: `import { useEffect, useReducer, useRef } from "react";`,
  // The names of dragged files are unknown.
  "attr-accept": `import { accepts as acceptsFile } from "${RULES}"; const attrAccept = ({ type }, accept) => acceptsFile(accept, { name: "", type });`,
  "react/jsx-runtime": "",
};

/** Functions without side effects: a call whose result is unused can be removed. */
const PURE = ["composeEventHandlers", "isPropagationStopped", "useRef"];

/** Effects that read one of these variables do nothing. */
const UNUSED_EFFECTS = ["onWindowFocus", "autoFocus"];

/** The dependencies of these hooks change at each render of the widget, so each call is replaced by its argument and this suffix. */
const MEMO_HOOKS = { useCallback: ")", useMemo: ")()" };

const DROPZONE = /[\\/]react-dropzone[\\/]dist[\\/]index\.js$/;

/**
 * A plugin for Rolldown and Vite that removes the code of react-dropzone that the widget never uses. A minifier cannot do this,
 * because it does not know which options a page never passes. The reasons are in docs/decisions/0011.
 */
export function trimDropzone() {
  return {
    name: "trim-dropzone",
    enforce: "pre",
    resolveId: {
      filter: { id: new RegExp(`^${RULES}$`) },
      handler(source, importer = "") {
        return DROPZONE.test(importer) ? this.resolve(source, fileURLToPath(import.meta.url)) : null;
      },
    },
    transform: {
      filter: { id: DROPZONE },
      async handler(code, id) {
        const trimmed = await minify(
          { [id]: edit(code, editsOf(this.parse(code))) },
          {
            module: true,
            mangle: false,
            compress: { passes: 8, pure_getters: true, pure_funcs: PURE, sequences: false, join_vars: false },
            format: { beautify: true, comments: false },
            sourceMap: true,
          },
        );
        return { code: trimmed.code, map: trimmed.map };
      },
    },
  };
}

/** @throws {Error} if an entry of the tables above occurs not exactly once, which means that react-dropzone has changed */
function editsOf(program) {
  const edits = [];
  const missing = new Set([
    ...Object.keys({ ...OPTIONS, ...FUNCTIONS, ...IMPORTS }),
    ...UNUSED_EFFECTS.map((name) => `an effect with ${name}`),
  ]);
  const replace = (name, { start, end }, text) => {
    if (!missing.delete(name)) throw new Error(`react-dropzone has ${name} twice`);
    edits.push({ start, end, text });
  };
  for (const node of nodesOf(program)) {
    const { type, id, init, source } = node;
    if (type === "ImportDeclaration" && source.value in IMPORTS)
      replace(source.value, node, IMPORTS[source.value]);
    if (type === "CallExpression" && node.callee.name in MEMO_HOOKS) {
      const [argument] = node.arguments;
      edits.push({ start: node.start, end: argument.start, text: "(" });
      edits.push({ start: argument.end, end: node.end, text: MEMO_HOOKS[node.callee.name] });
    }
    if (type === "CallExpression" && node.callee.name === "useEffect") {
      const unused = [...nodesOf(node)].find(({ name }) => UNUSED_EFFECTS.includes(name));
      if (unused) replace(`an effect with ${unused.name}`, node, "");
    }
    if (type === "ExportNamedDeclaration") edits.push({ ...node, text: "export { useDropzone };" });
    if (type === "FunctionDeclaration" && id.name in FUNCTIONS)
      replace(id.name, node, `const ${id.name} = ${FUNCTIONS[id.name]};`);
    if (type === "VariableDeclarator" && id.name in FUNCTIONS) replace(id.name, init, FUNCTIONS[id.name]);
    if (type === "VariableDeclarator" && init?.name === "props") {
      for (const [index, { key, start, end }] of id.properties.entries())
        if (key.name in OPTIONS)
          replace(key.name, { start, end: id.properties[index + 1]?.start ?? end }, "");
      const constants = Object.entries(OPTIONS).map(([name, value]) => `, ${name} = ${value}`);
      edits.push({ start: init.end, end: init.end, text: constants.join("") });
    }
  }
  if (missing.size > 0) throw new Error(`react-dropzone has no ${[...missing].join(", ")}`);
  return edits;
}

function edit(code, edits) {
  const isInside = (one, other) => one !== other && other.start <= one.start && one.end <= other.end;
  const outermost = edits.filter((one) => !edits.some((other) => isInside(one, other)));
  let edited = code;
  for (const { start, end, text } of outermost.sort((one, other) => other.start - one.start)) {
    // Keeps the number of lines, so that the source map stays correct.
    const lines = code.slice(start, end).replaceAll(/[^\n]/g, "");
    edited = edited.slice(0, start) + text + lines + edited.slice(end);
  }
  return edited;
}

function* nodesOf(node) {
  if (typeof node !== "object" || node === null) return;
  if (typeof node.type === "string") yield node;
  for (const child of Object.values(node)) yield* nodesOf(child);
}
