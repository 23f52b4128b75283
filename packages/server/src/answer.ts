/** What the helper answers, before a face writes it in its own way. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON, or nothing. */
  body: string;
}

export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body === "" ? null : body, { status, headers });
}
