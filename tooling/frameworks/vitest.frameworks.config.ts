import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const frameworks = { name: "frameworks", include: ["test/*.frameworks.ts"], testTimeout: 180_000 };

/** The element in apps of other frameworks. `pnpm test:frameworks` runs them; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: frameworks }] },
});
export default config;
