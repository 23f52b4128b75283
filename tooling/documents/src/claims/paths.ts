import { posix } from "node:path";
import { type Piece, readPieces } from "../read-document.js";
import type { Repository } from "../repository.js";
import { expandBraces } from "./expand-braces.js";

/** Made by a build or at run time, so git does not track them. */
const GENERATED = /(^|\/)(dist|node_modules|\.stowage|test-results|screenshots|sbom)(\/|$)/;

/** Pages for people who work on this repository. All others also name files of customers' apps. */
const FOR_CONTRIBUTORS =
  /^(ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$|^docs\/(decisions\/.*|threat-model|soak|releasing)\.md$|^lab\/bench\/|\/src\/.*\.md$/;

/**
 * Each path that a document names exists: paths from the root (`apps/service/src/db`), beginnings of tests (`test/http/cancel`), and in
 * pages for contributors also ends of paths (`settle/settle.ts`, `presign.test.ts`). Each link leads to a file or a folder.
 */
export function findMissingPaths({ files, documents }: Repository): string[] {
  const folders = new Set(files.flatMap(foldersOf));
  const paths = new Set([...files, ...folders]);
  const topLevel = new Set([...folders].filter((folder) => !folder.includes("/")));
  const known: Known = {
    paths,
    tree: `\n${[...files, ...[...folders].map((folder) => `${folder}/`)].join("\n")}\n`,
  };
  return [...documents].flatMap(([document, markdown]) =>
    readPieces(markdown).flatMap(({ line, ...piece }) =>
      pathsOf(piece, topLevel, FOR_CONTRIBUTORS.test(document))
        .filter((path) => !GENERATED.test(path))
        .flatMap(expandBraces)
        .filter((path) => !exists(piece.kind === "link" ? resolve(document, path) : path, piece.kind, known))
        .map((path) => `${document}:${line} names ${path}, which does not exist`),
    ),
  );
}

interface Known {
  paths: ReadonlySet<string>;
  /** All of them, one on each line. */
  tree: string;
}

type Named = Pick<Piece, "kind" | "text" | "language">;

function pathsOf(
  { kind, text, language }: Named,
  topLevel: ReadonlySet<string>,
  isForContributors: boolean,
): string[] {
  if (kind === "link") return /^(\w+:|#|\/)/.test(text) ? [] : [decodeURI(text.replace(/[#?].*/, ""))];
  if (kind === "block" && !/^(sh|bash)$/.test(language)) return [];
  const words = text.split(/[\s"'=`]+/).map((word) => word.replace(/[.,:;)]+$/, "").replace(/^\.\//, ""));
  return words.filter((word) => {
    if (!/^[\w.@{},*[\]+-]+(\/[\w.@{},*[\]+-]*)*$/.test(word)) return false;
    if (topLevel.has(word.split("/")[0]!) && word.includes("/")) return true;
    if (kind === "inline" && /^test\/./.test(word)) return true;
    if (kind === "block" || !isForContributors) return false;
    return /^src\/./.test(word) || /[\w-]\.(ts|tsx|mjs|sql|yml|yaml)$/.test(word);
  });
}

function exists(path: string, kind: Piece["kind"], { paths, tree }: Known): boolean {
  const bare = path.replace(/\/$/, "");
  if (paths.has(bare)) return true;
  if (kind === "link") return false;
  // `calls/NAME.ts` stands for each file of the folder.
  const pattern = path.replaceAll(/\b(NAME|TAG)\b/g, "*");
  if (pattern.includes("*")) return patternOf(pattern).test(tree);
  // A beginning of a test's name, as Vitest takes it, or an end of a path.
  return tree.includes(`/${bare}`) || tree.includes(`\n${bare}.`);
}

/** A pattern of a path, anywhere in the list of all paths. */
function patternOf(glob: string): RegExp {
  const escaped = glob.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(
    `[/\n]${escaped.replaceAll(/\*\*\/|\*/g, (star) => (star === "*" ? "[^/\n]*" : "(?:[^\n]*/)?"))}`,
  );
}

const resolve = (document: string, path: string): string =>
  path === "" ? document : posix.join(posix.dirname(document), path);

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}
