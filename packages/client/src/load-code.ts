import { importAgain } from "./import-again.js";

/** How Chromium and Firefox name a module that they could not fetch. */
const FAILED_MODULE = /dynamically imported module: (\S+)/;
/** Each attempt needs an address of its own. */
let attempts = 0;

/** A module that is loaded when it is first needed. It exports its name, because bundlers export it under another one. */
export interface NamedCode {
  readonly codeName: string;
}

/**
 * Loads code, also if a module of it could not be fetched before. Firefox, and Chromium 153 (not 156), remember that until the page is left, so
 * the module is asked for at another address. The loaders of webpack and Turbopack fetch a chunk again themselves.
 *
 * @param load imports the module
 * @param codeName what the module exports as its name. esbuild makes a chunk of the module; Rollup may export the module from a larger one
 * @throws what `load` throws, if the module cannot be fetched now either
 */
export async function loadCode<Code extends NamedCode>(
  load: () => Promise<Code>,
  codeName: Code["codeName"],
): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    const url = FAILED_MODULE.exec(String(error))?.[1];
    if (!url) throw error;
    const chunk = await importAgain(`${url}?again=${++attempts}`);
    const code = [chunk, ...Object.values(chunk)].find((each) => each?.codeName === codeName);
    if (!code) throw error;
    return code as Code;
  }
}
