import { withNightlyBase } from "../vitest.base.js";

/** Uploads of very large files. `pnpm test:nightly` runs them; `npm test` runs the same with small files. */
export default withNightlyBase({
  test: { include: ["{docs,widget}/*.nightly.test.ts"], globalSetup: "fixtures/global-setup.ts" },
});
