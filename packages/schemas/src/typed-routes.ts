/*
 * Types that carry the routes of the helper to the widget, which do not import each other:
 * `createUploader<typeof stowage>()`. Nothing here exists at run time.
 */

/** The types of one route. */
export interface RouteTypes {
  /** What the page sends with each file; undefined if the route takes no input. */
  input: unknown;
  /** What `onComplete` returns, after JSON; undefined if it returns nothing. */
  result: unknown;
}

/** A value that carries the types of its routes. The member exists only as a type. */
export interface TypedRoutes<Routes extends Record<string, RouteTypes>> {
  readonly "~routes"?: Routes;
}

/** The routes of a helper, such as `RoutesOf<typeof stowage>`. */
export type RoutesOf<Helper> =
  Helper extends TypedRoutes<infer Routes extends Record<string, RouteTypes>> ? Routes : never;

/** The type of a value after `JSON.stringify` and `JSON.parse`. */
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
