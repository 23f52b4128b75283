import { type Piece, readPieces } from "../read-document.js";
import type { Repository } from "../repository.js";

const OF_PNPM =
  /^(add|approve|audit|create|dlx|exec|i|install|licenses|pack|peers|run|store|changeset|tsc|turbo|vitest|prettier|oxlint)$/;

const PAGE = "docs/cli.md";

/** Each `pnpm X`, `npm run X`, `pnpm lab X` and `stowage X` exists. Some document names each command, and each script of the root. */
export function findWrongCommands(repository: Repository): string[] {
  const { documents, commands, scripts } = repository;
  const page = documents.get(PAGE) ?? "";
  const all = [...documents.values()].join("\n");
  return [
    ...[...documents].flatMap(([path, markdown]) =>
      readPieces(markdown)
        .filter(
          ({ kind, language }) => kind === "inline" || (kind === "block" && /^(sh|bash|)$/.test(language)),
        )
        .flatMap((piece) =>
          problemsOf(piece, repository).map((problem) => `${path}:${piece.line} ${problem}`),
        ),
    ),
    ...[...commands]
      .filter((command) => !all.includes(`stowage ${command}`) && !isInSection(page, command))
      .map((command) => `No document names stowage ${command}`),
    ...[...scripts]
      .filter((script) => !new RegExp(`(npm |npm run |\`)${script}(?![\\w:-])`).test(all))
      .map((script) => `No document names the script ${script}`),
  ];
}

/** Whether the section of a command names the subcommand, as in `` `delete <name>` ``. */
function isInSection(page: string, command: string): boolean {
  const [name, subcommand] = command.split(" ");
  const section = page.split(/^## /m).find((each) => each.startsWith(`${name}\n`)) ?? "";
  return subcommand !== undefined && new RegExp(`\`${subcommand}[\` ]`).test(section);
}

function problemsOf({ text }: Piece, { scripts, packageScripts, labs, commands }: Repository): string[] {
  const problems: string[] = [];
  for (const [, rest = ""] of text.matchAll(/(?<![\w-])pnpm ([^\n`]*)/g)) {
    const words = rest.split(/\s+/);
    const isFiltered = words.some((word) => /^(--filter|-F|-C)/.test(word));
    // An option with a value of its own is followed by it.
    const at = words.findIndex(
      (word, index) => !word.startsWith("-") && !/^(--filter|-F|-C)$/.test(words[index - 1] ?? ""),
    );
    const script = words[at] === "run" ? words[at + 1] : words[at];
    if (script === undefined || !/^[a-z][\w:-]*$/.test(script)) continue;
    const known = isFiltered ? packageScripts : scripts;
    if (!known.has(script) && !OF_PNPM.test(script)) problems.push(`names the script pnpm ${script}`);
    const lab = words[at + 1];
    if (script === "lab" && lab !== undefined && /^[a-z][\w-]*$/.test(lab) && !labs.has(lab))
      problems.push(`names the laboratory ${lab}`);
  }
  for (const [, script = ""] of text.matchAll(/(?<!p)npm run ([\w:-]+)/g))
    if (!packageScripts.has(script)) problems.push(`names the script npm run ${script}`);
  const stowage = /(?:^|[\n;|&(]\s*|npx |pnpm |dlx )stowage(?: ([a-z][a-z-]*))?(?: ([a-z][a-z-]*))?/g;
  for (const [, command, subcommand] of text.matchAll(stowage)) {
    if (command === undefined) continue;
    if (!commands.has(command)) problems.push(`names the command stowage ${command}`);
    const hasSubcommands = [...commands].some((each) => each.startsWith(`${command} `));
    if (hasSubcommands && subcommand !== undefined && !commands.has(`${command} ${subcommand}`))
      problems.push(`names the command stowage ${command} ${subcommand}`);
  }
  return problems;
}
