import { withBase } from "./vitest.base.js";

/** The settings of every package that needs no others. Its scripts name this file. */
export default withBase();
