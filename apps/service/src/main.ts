import module from "node:module";
import { setFlagsFromString } from "node:v8";
import { compileCacheDir } from "./places.js";

/** What V8 made of the code at an earlier start is used again, from Node 22.1 on. It holds for what is loaded from here on. */
const { enableCompileCache } = module as { enableCompileCache?: (dir: string) => unknown };
enableCompileCache?.(compileCacheDir);

/*
 * What most requests make does not outlive them. V8 guesses otherwise from what it sees in the first seconds, makes some of it old from
 * birth, and pauses for a full collection every few seconds under load (`bench/notes.md`).
 */
setFlagsFromString("--no-allocation-site-pretenuring");

await import("./serve.js");
