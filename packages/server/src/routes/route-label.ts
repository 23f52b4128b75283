/**
 * The metadata member that holds the name of a file's route. The browser neither writes nor sees metadata, so a file that was
 * uploaded by one route cannot be completed as another route's.
 */
export const ROUTE_LABEL = "stowage_route";

/** Returns the name of the route that a file was uploaded by; undefined for a file without a route. */
export function routeOf(file: { metadata: Record<string, string> }): string | undefined {
  return file.metadata[ROUTE_LABEL];
}
