/** A request of the API page, read from its curl command. `$FILE_PATH` and `$UPLOAD_PATH` are still in it. */
export interface Example {
  method: "GET" | "POST" | "PUT";
  path: string;
  /** Members of the query, as JSON text. Undefined: the request has none. */
  query?: string;
  /** The JSON body. Undefined: the request has none. */
  body?: string;
  needsKey: boolean;
}

const START = /^curl -s (?:-X (PUT) |(-G) )?"\$STOWAGE(\/[^"]*)"/;

/** Reads a command that `apps/service/test/docs/curl-line.ts` wrote. Other commands, such as the PUT to storage, are undefined. */
export function parseCurl(command: string): Example | undefined {
  const [start, put, get, path] = START.exec(command) ?? [];
  if (start === undefined || path === undefined) return undefined;
  const members = [...command.matchAll(/--data-urlencode "(\w+)=([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const body = bodyOf(command);
  return {
    method: put === "PUT" ? "PUT" : body === undefined || get === "-G" ? "GET" : "POST",
    path,
    ...(get === "-G" ? { query: JSON.stringify(Object.fromEntries(members)) } : {}),
    ...(body === undefined ? {} : { body }),
    needsKey: command.includes("Authorization: Bearer"),
  };
}

function bodyOf(command: string): string | undefined {
  const [, single, double] = /-d (?:'([^']*)'|"((?:\\"|[^"])*)")/.exec(command) ?? [];
  return single ?? double?.replaceAll('\\"', '"');
}
