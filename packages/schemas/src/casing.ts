type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;
type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : S;

export type CamelKeys<T> = { [K in keyof T as K extends string ? Camel<K> : K]: T[K] };
export type SnakeKeys<T> = { [K in keyof T as K extends string ? Snake<K> : K]: T[K] };

/** Wire to code: `tenant_id` becomes `tenantId`. One level deep: what a customer put into `metadata` stays as it is. */
export function camelKeys<T extends object>(wire: T): CamelKeys<T> {
  return renameKeys(wire, (key) =>
    // Most have nothing to rename, and that is found out sooner without the expression.
    key.includes("_") ? key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : key,
  );
}

/** Code to wire: `tenantId` becomes `tenant_id`. One level deep, as {@link camelKeys}. */
export function snakeKeys<T extends object>(value: T): SnakeKeys<T> {
  return renameKeys(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

// The compiler cannot follow a computed key; both callers state the exact shape in their signature.
function renameKeys<T>(from: object, rename: (key: string) => string): T {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [rename(key), value])) as T;
}
