import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { aFolder, aStore, type TestStore } from "../a-store.js";

/** Names that clients encode in different ways in URLs, signatures and listings. */
export const NAMES = [
  "two  words.txt",
  "a+b.txt",
  "100%.txt",
  "%41.txt",
  "Übergröße 日本語 🙂.txt",
  "it's & <b> #1?=;,.txt",
  "folder/inside it/deep+er.txt",
];

export interface Workspace {
  store: TestStore;
  /** The HOME of the client. */
  home: string;
  /** Runs a program with nothing but HOME in its environment. @returns its stdout @throws with its output if it fails */
  run(program: string, ...args: string[]): Promise<string>;
  /** Writes a file below HOME. @returns its path */
  write(path: string, content: string): Promise<string>;
  /** Writes a file for each name, which contains the name. @returns the path of the folder */
  writeTree(folder: string, names?: readonly string[]): Promise<string>;
  /** Reads a folder below HOME: paths inside it, and the contents. */
  readTree(folder: string): Promise<Record<string, string>>;
  /** The keys of a bucket by the official SDK, in order. */
  keys(bucket: string): Promise<string[]>;
}

/** The longest that one command of a client may take. */
const COMMAND_TIMEOUT_MS = 60_000;

/** A store with these buckets, and an empty HOME for a client. Both are removed at the end of the test. */
export async function aWorkspace(buckets: string[]): Promise<Workspace> {
  const store = await aStore({ buckets });
  const home = await aFolder();
  const write = async (path: string, content: string): Promise<string> => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), content);
    return join(home, path);
  };
  return {
    store,
    home,
    write,
    run: async (program, ...args) => {
      const env = { PATH: "/usr/bin:/bin", HOME: home, LANG: "C.UTF-8" };
      const options = { env, cwd: home, timeout: COMMAND_TIMEOUT_MS, killSignal: "SIGKILL" as const };
      return (await promisify(execFile)(program, args, options)).stdout;
    },
    writeTree: async (folder, names = NAMES) => {
      for (const name of names) await write(join(folder, name), name);
      return join(home, folder);
    },
    readTree: async (folder) => {
      const files = await readdir(join(home, folder), { recursive: true, withFileTypes: true });
      const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
      const entries = await Promise.all(
        paths
          .sort()
          .map(async (path) => [path.slice(join(home, folder).length + 1), await readFile(path, "utf8")]),
      );
      return Object.fromEntries(entries);
    },
    keys: async (Bucket) => {
      const { Contents = [] } = await store.client.send(new ListObjectsV2Command({ Bucket }));
      return Contents.map(({ Key }) => Key!);
    },
  };
}

/** What `readTree` returns for a folder of `writeTree`. */
export const treeOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.toSorted().map((name) => [name, name]));

/** The order of listings. */
export const inByteOrder = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
