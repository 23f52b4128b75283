import type { S3Error } from "../errors.js";
import { writeErrorXml } from "../xml/write-xml.js";
import type { Reply } from "./reply.js";

/** A refusal as S3 writes one. It names neither the URL nor what was signed: both would carry secrets into logs. */
export function refusal(error: S3Error, requestId: string): Reply {
  return {
    status: error.status,
    headers: { "Content-Type": "application/xml", ...error.headers },
    body: writeErrorXml([
      ["Code", error.code],
      ["Message", error.message],
      ["RequestId", requestId],
    ]),
  };
}

/** The refusal of what is not HTTP, written by hand because no response object exists for it. */
export function rawRefusal(error: S3Error, requestId: string): string {
  const { body } = refusal(error, requestId);
  const text = typeof body === "string" ? body : "";
  return [
    `HTTP/1.1 ${error.status} Bad Request`,
    "Content-Type: application/xml",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Connection: close",
    "",
    text,
  ].join("\r\n");
}
