import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXCEPTIONS, findRefused } from "../src/license-policy.js";
import type { InstalledPackage } from "../src/list-packages.js";
import { root } from "../src/root.js";

interface Sbom {
  components: { group?: string; name: string; scope: string; licenses?: unknown[] }[];
  metadata: { component: { name: string; version: string; purl?: string } };
}

let folder: string;
let text: string;
let sbom: Sbom;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stowage-sbom-test-"));
  const file = join(folder, "deep", "stowage.cdx.json");
  await promisify(execFile)(process.execPath, [join(root, "scripts", "sbom.mjs"), file], {
    timeout: 110_000,
  });
  text = await readFile(file, "utf8");
  sbom = JSON.parse(text) as Sbom;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const scopeOf = (wanted: string) =>
  sbom.components.find(({ group, name }) => (group ? `${group}/${name}` : name) === wanted)?.scope;

test("the SBOM is valid CycloneDX 1.6", async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(text)).toBeNull();
  expect(await validator.validate(text.replace('"scope": "required"', '"scope": "planted"'))).not.toBeNull();
});

test("the SBOM names what the builds of service, dashboard and documentation contain", () => {
  expect(sbom.metadata.component).toMatchObject({
    name: "stowage",
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  // The client's build has bundled the second line. A bundler plugin leaves the packages of the third line out.
  for (const name of ["fastify", "postgres", "better-auth", "react", "@fontsource-variable/inter"])
    expect.soft(scopeOf(name), name).toBe("required");
  expect(scopeOf("hash-wasm")).toBe("required");
  for (const name of ["@astrojs/starlight", "pagefind"]) expect.soft(scopeOf(name), name).toBe("required");
  for (const name of ["light-my-request", "typescript"]) expect.soft(scopeOf(name), name).toBe("excluded");
  for (const name of ["vitest", "vite", "shiki", "@stowage/dev-store"])
    expect.soft(scopeOf(name), name).toBeUndefined();
});

test("the SBOM names no address of a private registry or of a folder", () => {
  const origins = new Set(
    [...text.matchAll(/https:\/\/[^/"]+\/[^"]+\.tgz/g)].map(([url]) => new URL(url).host),
  );
  expect([...origins]).toEqual(["registry.npmjs.org"]);
  expect(text).not.toContain(root);
});

test.each([
  ["service", 50],
  ["dashboard", 50],
  ["docs", 8],
])(
  "the build of apps/%s contains packages with an allowed license, and the text of each license",
  async (app, atLeast) => {
    const dist = join(root, "apps", app, "dist");
    const packages = JSON.parse(await readFile(join(dist, "third-party.json"), "utf8")) as InstalledPackage[];
    const notices = await readFile(join(dist, "third-party-licenses.txt"), "utf8");
    expect(packages.length).toBeGreaterThan(atLeast);
    expect(findRefused(packages, EXCEPTIONS)).toEqual([]);
    for (const { name, version } of packages) expect(notices).toContain(`${name} ${version}, license: `);
  },
);
