import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { withBase } from "../../vitest.base.js";

const shadcn = { name: "shadcn", include: ["test/*.shadcn.ts"], testTimeout: 180_000 };

/** The items of the registry in a Next app. `pnpm test:shadcn` runs them; `npm test` does not. */
const config: ViteUserConfig = mergeConfig(withBase(), {
  test: { projects: [{ extends: true, test: shadcn }] },
});
export default config;
