import type { SvelteHTMLElements } from "svelte/elements";
import "../../src/frameworks/svelte.js";

type Properties = SvelteHTMLElements["stowage-dropzone"];

/** Only tsc reads this file. `pnpm lab frameworks` checks a component by svelte-check. */
export const use: Properties = {
  endpoint: "/api/stowage",
  accept: ["image/*", ".pdf"],
  maxSize: "10 MB",
  maxFiles: 3,
  class: "wide",
  "onstowage-uploaded": ({ detail }) => console.log(detail.file.file_path.toUpperCase()),
};

export const misuses: Properties[] = [
  // @ts-expect-error: unknown unit
  { maxSize: "4 apples" },
  // @ts-expect-error: a number is no text
  { maxFiles: "3" },
  // @ts-expect-error: unknown event
  { "onstowage-complete": () => {} },
  // @ts-expect-error: the event has no such detail
  { "onstowage-failed": ({ detail }) => detail.file },
];
