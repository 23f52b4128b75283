/*
 * How a backend's routes become types of its page. The helper declares them, the widget reads them, and neither imports
 * the other: `createUploader<typeof stowage>()` sees what stands here, and nothing of it exists at run time.
 */

/** What the page is told of one route. */
export interface RouteTypes {
  /** What the page sends beside a file; undefined when the route takes nothing. */
  input: unknown;
  /** What `onComplete` returns, as JSON brings it; undefined when it returns nothing. */
  result: unknown;
}

/** Something that carries the types of its routes; the member itself is never there. */
export interface TypedRoutes<Routes extends Record<string, RouteTypes>> {
  readonly "~routes"?: Routes;
}

/** The routes of a helper: `RoutesOf<typeof stowage>`. */
export type RoutesOf<Helper> =
  Helper extends TypedRoutes<infer Routes extends Record<string, RouteTypes>> ? Routes : never;

/** What is left of a value after `JSON.stringify` and `JSON.parse`. */
export type Json<Value> = Value extends { toJSON(): infer Written }
  ? Json<Written>
  : Value extends string | number | boolean | null
    ? Value
    : Value extends undefined | symbol | bigint | ((...given: never) => unknown)
      ? undefined
      : Value extends readonly (infer Entry)[]
        ? Json<Entry>[]
        : Value extends object
          ? {
              [
                Key in keyof Value as Key extends string
                  ? Value[Key] extends symbol | ((...given: never) => unknown)
                    ? never
                    : Key
                  : never
              ]: Json<Value[Key]>;
            }
          : unknown;
