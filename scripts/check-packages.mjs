// Packs each published package as `pnpm publish` would and runs publint and "are the types wrong" on the tarball.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const PUBLISHED = readdirSync(join(root, "packages")).filter(
  (name) => !JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")).private,
);
/** The packages are ESM only, so these two ways to resolve a package are not supported. */
const UNSUPPORTED_RESOLUTIONS = ["node10", "node16-cjs"];

const folder = mkdtempSync(join(tmpdir(), "stowage-packages-"));
try {
  const problems = (await Promise.all(PUBLISHED.map(checkPublished))).flat();
  for (const problem of problems) console.error(problem);
  console.log(`packages: ${PUBLISHED.length} checked, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function checkPublished(name) {
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  const tarball = pack(name);
  // A package that is only a program has no types.
  const types = manifest.exports === undefined ? [] : await runAttw(tarball);
  return [...(await runPublint(tarball)), ...types].map((problem) => `${manifest.name}: ${problem}`);
}

function pack(name) {
  const tarball = join(folder, `${name}.tgz`);
  const PATH = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  execFileSync("pnpm", ["pack", "--out", tarball], {
    cwd: join(root, "packages", name),
    env: { ...process.env, PATH },
    stdio: "pipe",
    timeout: 60_000,
    shell: process.platform === "win32",
  });
  return readFileSync(tarball);
}

async function runPublint({ buffer, byteOffset, byteLength }) {
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg)}`);
}

async function runAttw(tarball) {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  if (analysis.types === false) return ["attw: the package has no types"];
  return analysis.problems
    .filter(
      (problem) =>
        !UNSUPPORTED_RESOLUTIONS.includes(problem.resolutionKind) && !problem.entrypoint?.endsWith(".css"),
    )
    .map((problem) => `attw: ${JSON.stringify(problem)}`);
}
