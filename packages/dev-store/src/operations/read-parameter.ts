import { S3Error } from "../errors.js";

/** Reads a count such as `max-keys`. `max` is the default and the limit. @throws S3Error InvalidArgument */
export function readCount(query: ReadonlyMap<string, string>, name: string, max: number): number {
  const text = query.get(name);
  if (text === undefined || text === "") return max;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2 ** 31 - 1)
    throw new S3Error("InvalidArgument", `Argument ${name} must be an integer between 0 and 2147483647`);
  return Math.min(Number(text), max);
}

/** @throws S3Error InvalidArgument */
export function readEncoding(query: ReadonlyMap<string, string>): "url" | undefined {
  const encoding = query.get("encoding-type");
  if (encoding !== undefined && encoding !== "url")
    throw new S3Error("InvalidArgument", "Invalid Encoding Method specified in Request");
  return encoding;
}
