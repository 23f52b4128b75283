import { S3Error } from "../errors.js";

/** A count such as `max-keys`: `most` when left out or when more is asked for. @throws S3Error InvalidArgument */
export function readCount(query: ReadonlyMap<string, string>, name: string, most: number): number {
  const text = query.get(name);
  if (text === undefined || text === "") return most;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2 ** 31 - 1)
    throw new S3Error("InvalidArgument", `Argument ${name} must be an integer between 0 and 2147483647`);
  return Math.min(Number(text), most);
}

/** @throws S3Error InvalidArgument */
export function readEncoding(query: ReadonlyMap<string, string>): "url" | undefined {
  const encoding = query.get("encoding-type");
  if (encoding !== undefined && encoding !== "url")
    throw new S3Error("InvalidArgument", "Invalid Encoding Method specified in Request");
  return encoding;
}
