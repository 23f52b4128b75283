import type { Outputs } from "../../trpc.js";

/** One row of a list of files. */
export type ListedFile = Outputs["files"]["list"]["files"][number];
