import type { Repository } from "../repository.js";
import { expandBraces } from "./expand-braces.js";

const PAGE = "ARCHITECTURE.md";
/** Each folder in these has a row, or is named in the row of its parent. */
const COMPLETE = ["", "apps/", "packages/", "tooling/", "apps/service/src/"];
/** Every package may have these, so no row names them. */
const COMMON = new Set(["src/", "test/", "scripts/"]);

interface Row {
  /** The folders of the first column, each with a slash at its end. */
  folders: string[];
  /** The names with a slash at their end in the second column. */
  named: string[];
}

/**
 * Compares the table of folders in ARCHITECTURE.md with the tree. A row that names one folder inside of its folder (`store/`) names all
 * of them.
 */
export function findWrongFolders({ files, documents }: Repository): string[] {
  const rows = readRows(documents.get(PAGE) ?? "");
  if (rows.length === 0) return [`${PAGE} has no table of folders`];
  const exists = (folder: string): boolean => files.some((path) => path.startsWith(folder));
  const childrenOf = (folder: string): string[] => {
    const inside = files.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
    return [...new Set(inside.flatMap((path) => /^[^./][^/]*\//.exec(path)?.[0] ?? []))];
  };
  const hasRow = (folder: string): boolean =>
    rows.some(
      ({ folders, named }) =>
        folders.some((each) => each.startsWith(folder)) ||
        named.some((name) => folders.some((each) => each + name === folder)),
    );
  return [
    ...rows.flatMap(({ folders }) =>
      folders
        .filter((folder) => !exists(folder))
        .map((folder) => `${PAGE} has a row ${folder}, which does not exist`),
    ),
    ...COMPLETE.flatMap((parent) => childrenOf(parent).map((child) => parent + child))
      .filter((folder) => !hasRow(folder))
      .map((folder) => `${PAGE} has no row for ${folder}`),
    ...rows.flatMap(({ folders, named }) => {
      const [folder = ""] = folders;
      const children = folders.length === 1 ? childrenOf(folder).filter((child) => !COMMON.has(child)) : [];
      const areNamed = children.some((child) => named.includes(child));
      const isThere = (name: string) => exists(name) || folders.some((each) => hasInside(files, each, name));
      return [
        ...named
          .filter((name) => !isThere(name))
          .map((name) => `${PAGE} names ${name} in ${folder}, which does not exist`),
        ...children
          .filter((child) => areNamed && !named.includes(child))
          .map((child) => `${PAGE} does not name ${child} in the row of ${folder}`),
      ];
    }),
  ];
}

const hasInside = (files: readonly string[], folder: string, name: string): boolean =>
  files.some((path) => path.startsWith(folder) && path.slice(folder.length - 1).includes(`/${name}`));

function readRows(page: string): Row[] {
  const [, section = ""] = /^## Folders\n([^]*?)\n## /m.exec(page) ?? [];
  return section.split("\n").flatMap((line) => {
    const [, first, topic] = /^\| (`.*?) \| (.*) \|$/.exec(line) ?? [];
    if (first === undefined || topic === undefined) return [];
    const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
    return [
      {
        folders: codes(first).flatMap((code) => expandBraces(code.replace(/\/?$/, "/"))),
        named: codes(topic).filter((code) => /^[\w/-]+\/$/.test(code)),
      },
    ];
  });
}
