import { describe, expect, test } from "vitest";
import { readSite } from "../src/content/site-links.js";
import { readText } from "../src/content/repository.js";

const { pages, links } = readSite();
/** All files that the site is made of, apart from the files of `apps/docs`. */
const sources = [...pages.map(({ source }) => source), ...links.files];

describe("the files that the site is made of", () => {
  test("are in the build context of the container image", () => {
    const rules = readText(".dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => ({ admits: line.startsWith("!"), pattern: patternOf(line.replace(/^!/, "")) }));
    // The last rule that matches decides.
    const isAdmitted = (path: string) => rules.findLast(({ pattern }) => pattern.test(path))?.admits ?? true;
    expect(isAdmitted("docs/.env.local")).toBe(false);
    expect(sources.filter((path) => !isAdmitted(path))).toEqual([]);
  });

  test("build the site again when they change", () => {
    const { tasks } = JSON.parse(readText("apps/docs/turbo.json")) as {
      tasks: Record<"build" | "test" | "test:fast", { inputs: string[] }>;
    };
    for (const { inputs } of Object.values(tasks)) {
      const patterns = inputs
        .filter((each) => each.startsWith("$TURBO_ROOT$/"))
        .map((each) => patternOf(each.replace("$TURBO_ROOT$/", "")));
      expect(sources.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
    }
  });
});

/** Matches a path, or a path inside of the folder, as both tools do. */
function patternOf(glob: string): RegExp {
  const escaped = glob.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  const source = escaped.replaceAll(/\*\*\/?|\*/g, (star) => (star === "*" ? "[^/]*" : "(?:.*/)?"));
  return new RegExp(`^${source}${glob.endsWith("**") ? "" : "(?:/|$)"}`);
}
