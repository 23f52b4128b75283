/**
 * Under this name a file's metadata says which route let it in. The browser neither writes nor sees metadata, so a file
 * that came in by one route cannot be completed as another's.
 */
export const ROUTE_LABEL = "stowage_route";

/** The route that let a file in; undefined for a file that came in without one. */
export function routeOf(file: { metadata: Record<string, string> }): string | undefined {
  return file.metadata[ROUTE_LABEL];
}
