import { routeNotFoundDetail, StowageError } from "@stowage/schemas";

/**
 * Finds the route of a name that a browser sent.
 *
 * @throws {StowageError} `route_not_found`, with the names of the routes that exist
 */
export function requireRoute<Route>(
  routes: ReadonlyMap<string, Route> | undefined,
  name: string | undefined,
): { name: string; route: Route } {
  const route = name === undefined ? undefined : routes?.get(name);
  if (name !== undefined && route !== undefined) return { name, route };
  throw new StowageError("route_not_found", {
    detail: routeNotFoundDetail(name, [...(routes?.keys() ?? [])]),
  });
}
