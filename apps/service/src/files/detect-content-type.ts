import { lookup } from "mime-types";

/** What a PUT carries when nobody knows better (RFC 2046 section 4.5.1). */
const UNKNOWN = "application/octet-stream";

/** The media type that the filename's extension stands for in IANA's and the web servers' tables. */
export function detectContentType(filename: string): string {
  // The tables would take a name without a dot, such as "png", for an extension.
  return (filename.includes(".") && lookup(filename)) || UNKNOWN;
}
