import type { Operation } from "@stowage/schemas";

/** Groups of calls. Generators make a class of each, such as `UploadsApi`. */
export const tagDescriptions = {
  Uploads: "Requests the URLs for uploads, completes uploads, and cancels them.",
  Downloads: "Requests URLs that read stored files.",
  Links: "Creates, lists and revokes links that share a file.",
  Files: "Lists, reads, deletes and restores files, and changes what is known of them.",
  Tenants: "Usage, quotas, export and deletion of tenants.",
  Events: "What happened, as a log to follow.",
  Service: "The health and the description of the service. These calls need no API key.",
  Webhooks: "Requests that the service sends to your endpoints.",
} as const satisfies Record<Operation["tag"] | "Webhooks", string>;
