import { withDebianBase } from "../../vitest.base.js";

/** Tests with S3 clients that come from Debian and not from npm, such as rclone. `pnpm test:debian` runs them. */
export default withDebianBase();
