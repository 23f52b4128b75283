import { withBase } from "../../vitest.base.js";

export default withBase();
