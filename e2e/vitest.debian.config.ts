import { withDebianBase } from "../vitest.base.js";

/** Tests in the browsers that come from Debian and not from npm: Firefox and WebKitGTK. `pnpm test:browsers` runs them. */
export default withDebianBase({
  test: { include: ["browsers/*.debian.ts"], globalSetup: "fixtures/global-setup.ts" },
});
