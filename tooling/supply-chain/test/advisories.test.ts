import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { listPackages } from "../src/list-packages.js";
import { root } from "../src/root.js";

const PROGRAM = join(root, "scripts", "advisories.mjs");

/** The fastify that is installed. */
let version: string;
beforeAll(async () => {
  version = (await listPackages()).find(({ name }) => name === "fastify")!.version;
});

type Affected = { versions?: string[]; ranges?: { type: string; events: Record<string, string>[] }[] };

const semver = (...events: Record<string, string>[]): Affected => ({ ranges: [{ type: "SEMVER", events }] });

/** An advisory in the OSV format. */
const about = (
  affected: Affected,
  {
    name = "fastify",
    ecosystem = "npm",
    ...more
  }: { name?: string; ecosystem?: string; modified?: string; withdrawn?: string } = {},
) => ({
  modified: new Date().toISOString(),
  summary: "too lax",
  affected: [{ package: { ecosystem, name }, ...affected }],
  ...more,
});

/** Runs the program with these advisories, named by their members. */
async function check(advisories: Record<string, object>) {
  const folder = await mkdtemp(join(tmpdir(), "stowage-advisories-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [id, advisory] of Object.entries(advisories))
    await writeFile(join(folder, `${id}.json`), JSON.stringify({ id, ...advisory }));
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [PROGRAM, folder], { timeout: 110_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

const idsIn = (output: string) => [...output.matchAll(/^fastify@\S+: (\S+),/gm)].map(([, id]) => id);

test("names each installed package that an advisory affects, and the version with the fix", async () => {
  const { code, output } = await check({
    all: about(semver({ introduced: "0" })),
    listed: about({ versions: ["0.0.1", version] }),
    "last-affected": about(semver({ introduced: "1.0.0" }, { last_affected: version })),
    "fixed-later": about(semver({ introduced: "0" }, { fixed: "999.0.0" })),
    "fixed-and-broken": about(semver({ fixed: "0.0.2" }, { introduced: version }, { introduced: "0" })),
  });
  expect(code).toBe(1);
  expect(idsIn(output)).toEqual(["all", "fixed-and-broken", "fixed-later", "last-affected", "listed"]);
  expect(output).toContain(`fastify@${version}: fixed-later, fixed in 999.0.0: too lax`);
});

test("names no package that an advisory does not affect", async () => {
  const { code, output } = await check({
    fixed: about(semver({ introduced: "0" }, { fixed: version })),
    later: about(semver({ introduced: "999.0.0" })),
    "last-earlier": about(semver({ introduced: "0" }, { last_affected: "0.0.1" })),
    withdrawn: about(semver({ introduced: "0" }), { withdrawn: "2026-01-01T00:00:00Z" }),
    "other-package": about(semver({ introduced: "0" }), { name: "fastify-that-is-not-installed" }),
    "other-ecosystem": about(semver({ introduced: "0" }), { ecosystem: "PyPI" }),
    commits: about({ ranges: [{ type: "GIT", events: [{ introduced: "0" }] }] }),
  });
  expect({ code, ids: idsIn(output) }).toEqual({ code: 0, ids: [] });
  expect(output).toMatch(/^\d+ packages, 5 advisories, the newest of .*: 0 findings$/m);
});

test("data that is old, or has nothing about npm, is no proof", async () => {
  const old = { modified: new Date(Date.now() - 8 * 86_400_000).toISOString() };
  for (const advisory of [
    about(semver({ introduced: "999.0.0" }), old),
    about(semver({ introduced: "0" }), { ecosystem: "Go" }),
  ])
    expect(await check({ one: advisory })).toMatchObject({
      code: 2,
      output: expect.stringContaining("fetch newer data"),
    });
});
