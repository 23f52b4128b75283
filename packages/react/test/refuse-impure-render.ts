/** The component functions of React's development builds run inside of these functions of it. Effects and listeners do not. */
const RENDERING = new Set(["renderWithHooks", "renderWithHooksAgain", "replaySuspendedComponentWithHooks"]);

/**
 * Makes the clocks and the random numbers throw while React renders, in a browser or on a server, also in what a component calls.
 * React may render a component at any time, twice, or on another machine, and a page with a value of its own for each rendering does
 * not match the page of the server.
 *
 * @returns a function that ends this
 */
export function refuseImpureRender(): () => void {
  const ends = [
    replace(globalThis, "Date", (RealDate) => dateThatRefuses(RealDate)),
    replace(Math, "random", guarded("Math.random()")),
    replace(performance, "now", guarded("performance.now()")),
    replace(crypto, "randomUUID", guarded("crypto.randomUUID()")),
    replace(crypto, "getRandomValues", guarded("crypto.getRandomValues()")),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** @throws {Error} while React renders */
function refuseWhileRendering(what: string): void {
  if (callers().some((name) => RENDERING.has(name)))
    throw new Error(`${what} was called while React rendered`);
}

/** The names of the functions on the stack. Vitest maps the lines of each stack to its sources, which would take long. */
function callers(): string[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 200;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFunctionName() ?? "");
  try {
    return new Error("The stack of the caller").stack as unknown as string[];
  } finally {
    Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  }
}

type Method = (...args: never[]) => unknown;

const guarded =
  (name: string) =>
  <Real extends Method>(real: Real): Real =>
    function (this: unknown, ...args: Parameters<Real>) {
      refuseWhileRendering(name);
      return real.apply(this, args);
    } as unknown as Real;

/** `Date()`, `new Date()` and `Date.now()` tell the time. `new Date(value)` and the other members do not. */
function dateThatRefuses(RealDate: DateConstructor): DateConstructor {
  return new Proxy(RealDate, {
    construct(target, args, newTarget) {
      if (args.length === 0) refuseWhileRendering("new Date()");
      return Reflect.construct(target, args, newTarget) as object;
    },
    apply(target) {
      refuseWhileRendering("Date()");
      return target();
    },
    get: (target, name) =>
      name === "now" ? guarded("Date.now()")(target.now) : (Reflect.get(target, name) as unknown),
  });
}

function replace<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  by: (real: Owner[Name]) => Owner[Name],
): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, writable: true, value: by(owner[name]) });
  return () => {
    if (before === undefined) delete owner[name];
    else Object.defineProperty(owner, name, before);
  };
}
