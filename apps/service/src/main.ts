import module from "node:module";
import { compileCacheDir } from "./paths.js";

/** What V8 made of the code at an earlier start is used again, from Node 22.1 on. It holds for what is loaded from here on. */
const { enableCompileCache } = module as { enableCompileCache?: (dir: string) => unknown };
enableCompileCache?.(compileCacheDir);

await import("./serve.js");
