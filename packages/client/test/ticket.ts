import type { BrowserUploadRequestBody } from "@stowage/schemas";
import { isMultipart, type UploadTicket, type UploadTransport } from "../src/transport.js";

/** Requests a ticket for one PUT. */
export async function ticketFor(
  transport: Pick<UploadTransport, "request">,
  body: BrowserUploadRequestBody,
  signal: AbortSignal = new AbortController().signal,
): Promise<UploadTicket> {
  const ticket = await transport.request(body, signal);
  if (isMultipart(ticket)) throw new Error("the backend wants parts");
  return ticket;
}
