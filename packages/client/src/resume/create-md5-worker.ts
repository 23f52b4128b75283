/**
 * Bundlers recognise exactly this expression. A file of its own, because React Native has neither workers nor `import.meta`: `package.json`
 * leaves this file out there.
 */
export function createMd5Worker(): Worker {
  return new Worker(new URL("./md5-worker.js", import.meta.url), { type: "module" });
}
