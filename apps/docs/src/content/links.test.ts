import { expect, test } from "vitest";
import { headingIds, linksOf, rewriteLinks } from "./links.js";

const PAGE = `See [the helper](helper.md#routes), [the helper.md](helper.md) and ![a picture](../docs/widget.png "Widget").

[above](#title) [elsewhere](https://example.com/helper.md) [mail](mailto:a@example.com) [by name][ref]

\`[code](helper.md)\`

\`\`\`md
[code](helper.md)
\`\`\`

<img src="widget.webp" alt="">

[ref]: errors/README.md
`;

test("finds the links that point into the repository, and none in code", () => {
  expect(linksOf(PAGE, "docs/api.md").map(({ path, hash }) => path + hash)).toEqual([
    "docs/helper.md#routes",
    "docs/helper.md",
    "docs/widget.png",
    "docs/api.md#title",
    "docs/widget.webp",
    "docs/errors/README.md",
  ]);
});

test("replaces the addresses and nothing else", () => {
  const rewritten = rewriteLinks(PAGE, "docs/api.md", ({ path, hash }) => `/${path}${hash}`);
  expect(rewritten).toContain("[the helper](/docs/helper.md#routes), [the helper.md](/docs/helper.md)");
  expect(rewritten).toContain('![a picture](/docs/widget.png "Widget")');
  expect(rewritten).toContain("[above](#title) [elsewhere](https://example.com/helper.md)");
  expect(rewritten).toContain("`[code](helper.md)`");
  expect(rewritten).toContain('<img src="/docs/widget.webp" alt="">');
  expect(rewritten).toContain("[ref]: /docs/errors/README.md");
});

test("knows the ids of headings, also of two with the same text", () => {
  const ids = headingIds("## Set `maxSize`, twice\n\n## Ends\n\n## Ends\n\n```sh\n# a comment\n```\n");
  expect([...ids]).toEqual(["set-maxsize-twice", "ends", "ends-1"]);
});
