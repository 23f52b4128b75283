import { fileURLToPath } from "node:url";
import { minify } from "terser";

/** Options of `useDropzone` that `src/parts/use-file-dropzone.ts` never passes, or always passes alike: what they are then. */
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

/** What has nothing to do here, because the widget keeps the files, judges and words it, and opens the picker itself. */
const IDLE = {
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
  // Nobody knows the size of what is dragged.
  fileMatchSize: "() => [true]",
  // The input gets the widget's own.
  inputAcceptAttr: "undefined",
  Dropzone: "{}",
};

/** What has little to do here: the same, for what the widget gives it. */
const SHORT = {
  onErrCb: "console.error",
  // Events are React's.
  isPropagationStopped: "(event) => event.isPropagationStopped()",
  getDragVerdict:
    '({ files, accept, multiple }) => (!multiple && files.length > 1) || files.some((file) => !fileAccepted(file, accept)[0]) ? "reject" : "accept"',
  // Types alone, in one map: the judge takes their list.
  flattenAccept: "(accept) => accept",
  acceptPropAsAcceptAttr: "Object.keys",
  // Read of it are these three, and what changes comes in words of its own.
  initialState: "{ isDragActive: false, isDragReject: false, isDragGlobal: false }",
  reducer: '(state, { type, ...change }) => (type === "reset" ? initialState : { ...state, ...change })',
};

const FUNCTIONS = { ...IDLE, ...SHORT };

const RULES = "@stowage/schemas/rules";

/** What stands in place of its imports, where that is not the same. */
const IMPORTS = {
  react: `import { useEffect, useReducer, useRef } from "react";`,
  // While files are dragged their names are not known.
  "attr-accept": `import { accepts as judge } from "${RULES}"; const attrAccept = ({ type }, accept) => judge(accept, { name: "", type });`,
  "react/jsx-runtime": "",
};

/** What can go where nobody looks at what it returns. */
const PURE = ["composeEventHandlers", "isPropagationStopped", "useRef"];

/** Effects in which these are read do nothing. */
const IDLE_EFFECTS = ["onWindowFocus", "autoFocus"];

/** What keeps a thing until its dependencies change, and what is left after the thing: these change at each render of the widget. */
const KEEPERS = { useCallback: ")", useMemo: ")()" };

const DROPZONE = /[\\/]react-dropzone[\\/]dist[\\/]index\.js$/;

/**
 * A plugin for Rolldown and Vite that leaves out of react-dropzone what the widget never reaches: no minifier can know
 * which options a page will not pass. What is left is react-dropzone's own code; docs/decisions/0011 says why.
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

/** Where the tables above have their places in it; each must have one, or this is another react-dropzone. */
function editsOf(program) {
  const edits = [];
  const places = new Set([
    ...Object.keys({ ...OPTIONS, ...FUNCTIONS, ...IMPORTS }),
    ...IDLE_EFFECTS.map((name) => `an effect with ${name}`),
  ]);
  const put = (name, { start, end }, text) => {
    if (!places.delete(name)) throw new Error(`react-dropzone has ${name} twice`);
    edits.push({ start, end, text });
  };
  for (const node of nodesOf(program)) {
    const { type, id, init, source } = node;
    if (type === "ImportDeclaration" && source.value in IMPORTS)
      put(source.value, node, IMPORTS[source.value]);
    if (type === "CallExpression" && node.callee.name in KEEPERS) {
      const [kept] = node.arguments;
      edits.push({ start: node.start, end: kept.start, text: "(" });
      edits.push({ start: kept.end, end: node.end, text: KEEPERS[node.callee.name] });
    }
    if (type === "CallExpression" && node.callee.name === "useEffect") {
      const idle = [...nodesOf(node)].find(({ name }) => IDLE_EFFECTS.includes(name));
      if (idle) put(`an effect with ${idle.name}`, node, "");
    }
    if (type === "ExportNamedDeclaration") edits.push({ ...node, text: "export { useDropzone };" });
    if (type === "FunctionDeclaration" && id.name in FUNCTIONS)
      put(id.name, node, `const ${id.name} = ${FUNCTIONS[id.name]};`);
    if (type === "VariableDeclarator" && id.name in FUNCTIONS) put(id.name, init, FUNCTIONS[id.name]);
    if (type === "VariableDeclarator" && init?.name === "props") {
      for (const [index, { key, start, end }] of id.properties.entries())
        if (key.name in OPTIONS) put(key.name, { start, end: id.properties[index + 1]?.start ?? end }, "");
      const known = Object.entries(OPTIONS).map(([name, value]) => `, ${name} = ${value}`);
      edits.push({ start: init.end, end: init.end, text: known.join("") });
    }
  }
  if (places.size > 0) throw new Error(`react-dropzone has no ${[...places].join(", ")} any longer`);
  return edits;
}

function edit(code, edits) {
  const isInside = (one, other) => one !== other && other.start <= one.start && one.end <= other.end;
  const outermost = edits.filter((one) => !edits.some((other) => isInside(one, other)));
  let edited = code;
  for (const { start, end, text } of outermost.sort((one, other) => other.start - one.start)) {
    // As many lines as before: the source map leads to the right one.
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
