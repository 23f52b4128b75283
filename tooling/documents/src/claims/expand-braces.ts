/** `a/{b,c}/d` is `a/b/d` and `a/c/d`. */
export function expandBraces(path: string): string[] {
  const [whole, before = "", list = "", after = ""] = /^([^{]*)\{([^{}]*,[^{}]*)\}(.*)$/.exec(path) ?? [];
  if (whole === undefined) return [path];
  return list.split(",").flatMap((each) => expandBraces(`${before}${each}${after}`));
}
