import { fileURLToPath } from "node:url";
import { compressFiles } from "@stowage/compressed-files";
import type { AstroIntegration } from "astro";

/** Adds compressed copies, so that the service need not compress at request time. */
export function compressed(): AstroIntegration {
  return {
    name: "compressed",
    hooks: { "astro:build:done": ({ dir }) => compressFiles(fileURLToPath(dir)) },
  };
}
