import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { passedOn, settings as localSettings } from "@stowage/local/src/settings.js";
import { settingNames } from "@stowage/service/settings";
import { root } from "./root.js";

/** What documents can be right or wrong about. */
export interface Repository {
  /** All files that git tracks, relative to the root. */
  files: readonly string[];
  /** The texts of the documents, by path. */
  documents: ReadonlyMap<string, string>;
  /** Scripts of the root's package.json. */
  scripts: ReadonlySet<string>;
  /** Scripts of all packages, and of the apps that `npm create stowage` makes. */
  packageScripts: ReadonlySet<string>;
  /** What `pnpm lab` can run. */
  labs: ReadonlySet<string>;
  /** Commands of `stowage`, such as `project` and `project create`. */
  commands: ReadonlySet<string>;
  /** Environment variables that the service and `npm start` read. */
  settings: ReadonlySet<string>;
  /** All words with an underscore and capitals in files that are no documents: constants, variables of tests and of other programs. */
  constants: ReadonlySet<string>;
}

/** A document of an app that customers get describes their folder, not this one. */
const isDocument = (path: string): boolean => path.endsWith(".md") && !path.includes("/templates/");

const CONSTANT = String.raw`\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b`;
/** These tests plant names that must not exist. */
const OWN = "tooling/documents";

export function readRepository(): Repository {
  const files = git("ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate");
  const scriptsOf = (path: string): string[] =>
    Object.keys((JSON.parse(read(path)) as { scripts?: object }).scripts ?? {});
  return {
    files,
    documents: new Map(files.filter(isDocument).map((path) => [path, read(path)])),
    scripts: new Set(scriptsOf("package.json")),
    packageScripts: new Set(files.filter((path) => /(^|\/)package\.json$/.test(path)).flatMap(scriptsOf)),
    labs: new Set(files.flatMap((path) => /^lab\/(?!lab\.mjs)([\w-]+)\.mjs$/.exec(path)?.[1] ?? [])),
    commands: readCommands(files),
    settings: new Set([...settingNames, ...Object.keys(localSettings), ...passedOn.example]),
    constants: new Set(git("grep", "--untracked", "-hoE", CONSTANT, "--", ":!*.md", `:!${OWN}`)),
  };
}

/** Each file in `cli/` is one command: its first name is the command, the others are its subcommands. */
function readCommands(files: readonly string[]): Set<string> {
  const sources = files.filter((path) => /^apps\/service\/src\/cli\/[\w-]+(?<!\.test)\.ts$/.test(path));
  const all = sources.flatMap((path) => {
    const names = [...read(path).matchAll(/(?:create\w*Command\w*|new Command)\(\s*"([\w-]+)"/g)];
    const [command, ...others] = [...new Set(names.map(([, name]) => name!))];
    return command === undefined ? [] : [command, ...others.map((other) => `${command} ${other}`)];
  });
  return new Set([...all, "serve"]);
}

function git(...args: string[]): string[] {
  const output = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  return [...new Set(output.split("\n").filter((line) => line !== ""))];
}

const read = (path: string): string => readFileSync(join(root, path), "utf8");
