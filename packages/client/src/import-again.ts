/** How Chromium and Firefox name a module that they could not fetch. */
const FAILED_MODULE = /dynamically imported module: (\S+)/;
/** Each attempt needs an address of its own. */
let attempts = 0;

/**
 * Imports a module that could not be fetched. Browsers, such as Chromium 153, remember that until the page is left, so the module is asked
 * for at another address. webpack and other loaders of chunks fetch it again themselves; their errors name no module.
 *
 * @param error what its `import()` threw
 * @param name an export that the module has
 * @throws the same error, if it is another one, or if the bundler has renamed the export
 */
export async function importAgain<Code extends object>(
  error: unknown,
  name: keyof Code & string,
): Promise<Code> {
  const url = FAILED_MODULE.exec(String(error))?.[1];
  if (!url) throw error;
  const code = (await import(
    /* webpackIgnore: true */ /* @vite-ignore */ `${url}?again=${++attempts}`
  )) as Code;
  if (!(name in code)) throw error;
  return code;
}
