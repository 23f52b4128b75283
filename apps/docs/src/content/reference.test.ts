import { expect, test } from "vitest";
import { renderSnapshot } from "./reference.js";

const SNAPSHOT = `@stowage/server/next

at run time:
toNextHandlers

export function toNextHandlers(make: () => Stowage): NextHandlers;

// exported as Handlers
export interface NextHandlers {
    GET: Handler;
}

type Handler = (request: Request) => Promise<Response>;
`;

test("gives each declaration a heading, the exported ones first", () => {
  const { id, markdown } = renderSnapshot(SNAPSHOT, () => undefined);
  expect(id).toBe("@stowage/server/next");
  expect(markdown.split("\n").filter((line) => line.startsWith("#"))).toEqual([
    "## Exported",
    "### toNextHandlers",
    "### Handlers",
    "## Used by these",
    "### Handler",
  ]);
  expect(markdown).toContain("At run time: `toNextHandlers`.");
  expect(markdown).toContain(
    "```ts\n// exported as Handlers\nexport interface NextHandlers {\n    GET: Handler;\n}\n```",
  );
});

test("shows the docstring of a name, and the members of a type with theirs", () => {
  const docstring = {
    text: "The methods.",
    declaration: "interface NextHandlers {\n  /** Lists. */\n  GET: Handler;\n}",
  };
  const { markdown } = renderSnapshot(SNAPSHOT, (name) => (name === "NextHandlers" ? docstring : undefined));
  expect(markdown).toContain(`### Handlers\n\nThe methods.\n\n\`\`\`ts\n${docstring.declaration}\n\`\`\``);
});

test("links to the page that already shows a declaration", () => {
  const home = { id: "@stowage/server", source: "tooling/as-published/api/server.index.txt" };
  const { markdown } = renderSnapshot(
    SNAPSHOT,
    () => undefined,
    (section) => (/^### (Handlers|Handler)$/m.test(section) ? home : undefined),
  );
  expect(markdown).toContain(
    "### Handlers\n\nThe same as in [`@stowage/server`](server.index.txt#handlers).\n\n## Used by these",
  );
  expect(markdown).toContain("## Used by these\n\nOn other pages: [`Handler`](server.index.txt#handler).");
});
