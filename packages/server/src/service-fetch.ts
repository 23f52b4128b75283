import type { Call } from "@stowage/schemas";

/** As much of `fetch` as a call of the service takes. */
export type ServiceFetch = (
  url: string,
  call: {
    method: Call["method"];
    headers: Record<string, string>;
    body?: string;
    redirect: "manual";
    signal: AbortSignal;
  },
) => Promise<ServiceResponse>;
export type ServiceResponse = Pick<Response, "ok" | "status" | "text"> & { headers: Pick<Headers, "get"> };
