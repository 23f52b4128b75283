type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;
type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : S;

export type CamelKeys<T> = { [K in keyof T as K extends string ? Camel<K> : K]: T[K] };
export type SnakeKeys<T> = { [K in keyof T as K extends string ? Snake<K> : K]: T[K] };

/** Renames the keys of an object to camelCase: `tenant_id` becomes `tenantId`. Nested objects stay unchanged. */
export function camelKeys<T extends object>(wire: T): CamelKeys<T> {
  return renameKeys(wire, (key) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()));
}

/** Renames the keys of an object to snake_case: `tenantId` becomes `tenant_id`. Nested objects stay unchanged. */
export function snakeKeys<T extends object>(value: T): SnakeKeys<T> {
  return renameKeys(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

// TypeScript cannot type a computed key, so the signatures of both callers give the exact type.
function renameKeys<T>(from: object, rename: (key: string) => string): T {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [rename(key), value])) as T;
}
