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

/** Writes the table from the results, and the programs that the page shows from their files. */
export function writePage() {
  const known = JSON.parse(readFileSync(results, "utf8"));
  let text = replaceBlock(readFileSync(page, "utf8"), "clients", table(known), "\n\n");
  for (const { program, language } of clients.filter(isShown)) {
    const source = readFileSync(new URL(program, import.meta.url), "utf8").trimEnd();
    text = replaceBlock(text, program, `\`\`\`${language}\n${source}\n\`\`\``, "\n```\n");
  }
  writeFileSync(page, text);
}

/** The page shows three programs, and links the files of the others. */
const SHOWN = ["curl.sh", "requests-put.py", "node-fetch.mjs"];

/** @public a test imports it by its path */
export const isShown = ({ program }) => SHOWN.includes(program);

function table(known) {
  const rows = clients
    .filter(({ program }) => known[program])
    .map((client) => {
      const { name, program, add } = client;
      const { version, mistakes } = known[program];
      const place = isShown(client) ? `#${anchorOf(name)}` : `../lab/clients/${program}`;
      return `| [${name}](${place}) ${version} | ${add} | ${mistakes.map(shorten).join("<br>") || "–"} |`;
    });
  return ["| client | add | another way: what is sent → answer of storage |", "|---|---|---|", ...rows].join(
    "\n",
  );
}

/** Writes "403 (without `size`: 411)" as "403/411". The page explains it above the table. */
function shorten(mistake) {
  return mistake
    .replace(" (without `size`: 411)", "/411")
    .replace(" (without `size`: 200, stored altered)", "/altered")
    .replace(": a length →", ": length →");
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}

/** Replaces what follows the comment with this name, from the next paragraph to `end`. */
function replaceBlock(text, name, content, end) {
  const mark = `<!-- ${name} -->\n\n`;
  const from = text.indexOf(mark);
  const to = text.indexOf(end, from + mark.length);
  if (from < 0 || to < 0) throw new Error(`docs/put.md has no place for ${name}.`);
  const tail = text.slice(to + end.trimEnd().length);
  return `${text.slice(0, from + mark.length)}${content}${tail}`;
}
