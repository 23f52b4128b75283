import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../vitest.base.js";

export default defineConfig(
  mergeConfig(base, { test: { projects: [{ extends: true, test: { name: "fast" } }] } }),
);
