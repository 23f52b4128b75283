// Writes the table and the programs of docs/put.md. A test compares the programs with the files of this folder.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { clients } from "./clients.mjs";

const page = fileURLToPath(new URL("../../docs/put.md", import.meta.url));
/** What the last run of each program showed. */
const results = fileURLToPath(new URL("results.json", import.meta.url));

/** Remembers the outcome of one client. */
export function recordResults({ program, version, passed, failures, mistakes }) {
  const known = JSON.parse(readFileSync(results, "utf8"));
  known[program] = { version, passed, failed: failures.length, mistakes };
  writeFileSync(results, `${JSON.stringify(known, null, 2)}\n`);
}

/** Writes the table from the results, and each program from its file. */
export function writePage() {
  const known = JSON.parse(readFileSync(results, "utf8"));
  let text = replaceBetween(readFileSync(page, "utf8"), "clients", table(known));
  for (const { program, language } of clients) {
    const source = readFileSync(new URL(program, import.meta.url), "utf8").trimEnd();
    text = replaceBetween(text, program, `\`\`\`${language}\n${source}\n\`\`\``);
  }
  writeFileSync(page, text);
}

function table(known) {
  const rows = clients
    .filter(({ program }) => known[program])
    .map(({ name, program, add }) => {
      const { version, passed, failed, mistakes } = known[program];
      const runs = `${passed} of ${passed + failed}`;
      return `| [${name}](#${anchorOf(name)}) ${version} | ${add} | ${runs} | ${mistakes.join("<br>") || "–"} |`;
    });
  return [
    "| client | add | runs | another way: what is sent → the answer of storage |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}

function replaceBetween(text, name, content) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/put.md has no place for ${name}.`);
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}
