// Checks the subject of every commit since the convention was introduced: `area: summary`, at most 72 characters.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** The last commit before the convention. */
const LAST_UNCHECKED = "e7cee15c9ed438749f3184770a26bdee583b8179";
const MAX_LENGTH = 72;
const SUBJECT = /^[a-z0-9][a-z0-9, /-]*: \S/;

const git = (...args) => spawnSync("git", ["-C", root, ...args], { encoding: "utf8" });

if (git("rev-parse", "--verify", "--quiet", `${LAST_UNCHECKED}^{commit}`).status !== 0) {
  console.log(
    "commit subjects: not checked, because this copy has no history (a shallow clone or an archive)",
  );
  process.exit(0);
}
const subjects = git("log", "--no-merges", "--format=%h %s", `${LAST_UNCHECKED}..HEAD`)
  .stdout.split("\n")
  .filter(Boolean);
const refused = subjects.filter((line) => {
  const subject = line.slice(line.indexOf(" ") + 1);
  return subject.length > MAX_LENGTH || !SUBJECT.test(subject);
});
for (const line of refused) {
  console.error(`${line}\n  Write it as "area: imperative summary", at most ${MAX_LENGTH} characters.`);
}
console.log(
  `commit subjects: ${subjects.length - refused.length} of ${subjects.length} follow the convention`,
);
process.exitCode = refused.length === 0 ? 0 : 1;
