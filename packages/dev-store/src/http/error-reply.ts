import type { S3Error } from "../errors.js";
import { writeErrorXml } from "../xml/write-xml.js";
import type { Reply } from "./reply.js";

/** The XML answer for an error. It contains neither the URL nor the signed text, because both would carry secrets into logs. */
export function errorReply(error: S3Error, requestId: string): Reply {
  return {
    status: error.status,
    headers: { "Content-Type": "application/xml", ...error.headers },
    body: writeErrorXml([
      ["Code", error.code],
      ["Message", error.message],
      ...Object.entries(error.details),
      ["RequestId", requestId],
    ]),
  };
}

/** The answer to a message that is not valid HTTP, as raw text because Node creates no response object for it. */
export function rawErrorReply(error: S3Error, requestId: string): string {
  const { body } = errorReply(error, requestId);
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
