import { createFileRoute } from "@tanstack/react-router";
import { makeStowage } from "../../stowage/helper";

// Made by the first request: a build may load this file without the key.
let stowage: ReturnType<typeof makeStowage> | undefined;

export const Route = createFileRoute("/api/stowage/$")({
  server: { handlers: { ANY: ({ request }) => (stowage ??= makeStowage()).handler(request) } },
});
