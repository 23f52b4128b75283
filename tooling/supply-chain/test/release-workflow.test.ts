import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../src/root.js";

interface Job {
  permissions?: Record<string, string>;
  environment?: string;
  needs?: string;
  steps: { run?: string }[];
}

interface TestWorkflow {
  on: unknown;
  permissions: unknown;
  jobs: Record<string, Job>;
}

const readWorkflow = (name: string) => readFile(join(root, `.github/workflows/${name}.yml`), "utf8");

let text: string;
let workflow: { permissions: unknown; jobs: Record<string, Job> };
beforeAll(async () => {
  text = await readWorkflow("release");
  workflow = parse(text) as typeof workflow;
});

test("every action of a workflow is pinned to a commit, and names its version", async () => {
  const texts = await Promise.all(["test", "release"].map(readWorkflow));
  const lines = texts.flatMap((text) => text.split("\n").filter((line) => /\buses:/.test(line)));
  const pinned = /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => !pinned.test(line))).toEqual(["    uses: ./.github/workflows/test.yml"]);
});

test("pull requests, commits of main and releases run the tests, without a right to write", async () => {
  const { on, permissions, jobs } = parse(await readWorkflow("test")) as TestWorkflow;
  expect(on).toEqual({ pull_request: null, push: { branches: ["main"] }, workflow_call: null });
  expect(permissions).toEqual({ contents: "read" });
  expect(jobs["test"]!.permissions).toBeUndefined();
  expect(jobs["test"]!.steps.flatMap(({ run }) => run ?? [])).toEqual(["npm test", "npx pnpm lab release"]);
  expect(workflow.jobs["test"]).toEqual({ uses: "./.github/workflows/test.yml" });
});

test("only the job that publishes may write and sign, after the tests and an approval", () => {
  expect(workflow.permissions).toEqual({ contents: "read" });
  const { publish, ...others } = workflow.jobs;
  expect(publish).toMatchObject({
    needs: "test",
    environment: "npm",
    permissions: { contents: "write", "id-token": "write" },
  });
  for (const job of Object.values(others)) expect(job.permissions).toBeUndefined();
});

test("the release publishes with provenance and without a stored token", () => {
  const commands = workflow.jobs["publish"]!.steps.map(({ run = "" }) => run);
  expect(commands).toContain(
    "node scripts/publish-packages.mjs --registry=https://registry.npmjs.org/ --provenance",
  );
  expect(text).not.toMatch(/secrets\.|_authToken/);
});

test("an administrator reserves the name of every published package, for this workflow and its environment", async () => {
  const guide = await readFile(join(root, "docs/releasing.md"), "utf8");
  const [, names = ""] = /for name in (.*); do/.exec(guide) ?? [];
  const published = await readPublished();
  expect(names.split(" ").toSorted()).toEqual(published.map(({ name }) => name).toSorted());
  expect(guide).toContain(`--file release.yml --env ${workflow.jobs["publish"]!.environment}`);
});

test("all published packages get one version, so that a tag names all of them", async () => {
  const { fixed } = await readJson<{ fixed: string[][] }>(".changeset/config.json");
  const published = await readPublished();
  expect(fixed.map((group) => group.toSorted())).toEqual([published.map(({ name }) => name).toSorted()]);
  expect(new Set(published.map(({ version }) => version)).size).toBe(1);
});

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
}

async function readPublished(): Promise<Manifest[]> {
  const folders = await readdir(join(root, "packages"));
  const manifests = await Promise.all(
    folders.map((name) => readJson<Manifest>(`packages/${name}/package.json`)),
  );
  return manifests.filter((manifest) => !manifest.private);
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(root, path), "utf8")) as T;
}
