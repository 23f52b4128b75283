import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../src/root.js";

interface Job {
  permissions?: Record<string, string>;
  environment?: string;
  needs?: string;
  steps: { uses?: string; run?: string; with?: Record<string, unknown>; env?: Record<string, string> }[];
}

let text: string;
let workflow: { permissions: unknown; jobs: Record<string, Job> };
beforeAll(async () => {
  text = await readFile(join(root, ".github/workflows/release.yml"), "utf8");
  workflow = parse(text) as typeof workflow;
});

test("every action of the release workflow is pinned to a commit, and names its version", () => {
  const lines = text.split("\n").filter((line) => /\buses:/.test(line));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
    [],
  );
});

test("only the job that publishes may write and sign, after the tests and an approval", () => {
  expect(workflow.permissions).toEqual({ contents: "read" });
  const { publish, ...others } = workflow.jobs;
  expect(publish).toMatchObject({
    needs: "test",
    environment: "npm",
    permissions: { contents: "write", "id-token": "write" },
  });
  for (const job of Object.values(others)) {
    expect(job.permissions).toBeUndefined();
    expect(JSON.stringify(job)).not.toContain("secrets.");
  }
});

test("the release publishes with provenance, and only one step has the token", () => {
  const steps = workflow.jobs["publish"]!.steps;
  const withToken = steps.filter(({ env }) => JSON.stringify(env ?? {}).includes("secrets."));
  expect(withToken).toHaveLength(1);
  expect(withToken[0]!.run).toMatch(
    /publish-packages\.mjs --registry=https:\/\/registry\.npmjs\.org\/ --provenance/,
  );
});

test("all published packages get one version, so that a tag names all of them", async () => {
  const read = async (path: string) => JSON.parse(await readFile(join(root, path), "utf8")) as never;
  const { fixed } = (await read(".changeset/config.json")) as { fixed: string[][] };
  const folders = await readdir(join(root, "packages"));
  const manifests = (await Promise.all(folders.map((name) => read(`packages/${name}/package.json`)))) as {
    name: string;
    version: string;
    private?: boolean;
  }[];
  const published = manifests.filter((manifest) => !manifest.private);
  expect(fixed.map((group) => group.toSorted())).toEqual([published.map(({ name }) => name).toSorted()]);
  expect(new Set(published.map(({ version }) => version)).size).toBe(1);
});
