import { expect, test } from "vitest";
import { slugOf } from "./addresses.js";
import { paragraphUnder, splitTitle } from "./page.js";

test("takes the first heading as the title, after the comment of a generator", () => {
  expect(splitTitle("<!-- Generated -->\n\n# The `helper`\n\nText\n")).toEqual({
    heading: "The helper",
    body: "Text\n",
  });
  expect(() => splitTitle("Text\n# Late\n")).toThrow("does not begin with a heading");
});

test("describes a page by its first words, without links and marks", () => {
  const body = "| a |\n\n## Cause\n\nThe [service](api.md) sent\n`401`.\n\nMore.\n\n## Fix\n";
  expect(paragraphUnder(body, "Cause")).toBe("The service sent 401.");
});

test.each([
  ["README.md", ""],
  ["docs/helper.md", "helper"],
  ["docs/errors/README.md", "errors"],
  ["docs/guides/next.md", "guides/next"],
  ["packages/react/README.md", "packages/react"],
  ["ARCHITECTURE.md", "architecture"],
  ["lab/bench/results.md", "bench/results"],
  ["tooling/as-published/api/server.index.txt", "reference/server"],
  ["tooling/as-published/api/react.trpc.txt", "reference/react/trpc"],
])("the page of %s has the slug %j", (source, slug) => expect(slugOf(source)).toBe(slug));
