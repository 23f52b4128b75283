import type { GlobalComponents } from "vue";
import "../../src/frameworks/vue.js";

type Dropzone = InstanceType<GlobalComponents["stowage-dropzone"]>;

/** Only tsc reads this file. `pnpm lab frameworks` checks a template by vue-tsc. */
export const use: Dropzone["$props"] = {
  endpoint: "/api/stowage",
  accept: ["image/*", ".pdf"],
  maxSize: "10 MB",
  maxFiles: 3,
  class: "wide",
};

export const misuses: Dropzone["$props"][] = [
  // @ts-expect-error: unknown unit
  { maxSize: "4 apples" },
  // @ts-expect-error: a number is no text
  { maxFiles: "3" },
];

export function events(dropzone: Dropzone, uploaded: Parameters<Dropzone["$emit"]>[1]) {
  dropzone.$emit("stowage-settled", uploaded as never);
  // @ts-expect-error: unknown event
  dropzone.$emit("stowage-complete", uploaded as never);
}
