import { createStowage } from "@stowage/server";

/** The helper with one route, as a customer mounts it. The stub answers as its service. */
export const { handler } = createStowage({
  apiKey: `stow_live_${"0".repeat(49)}`,
  baseUrl: process.env["STUB_URL"],
  tenant: (request) => request.headers.get("X-User"),
  routes: { image: { accept: "image/*", maxSize: "4MB" } },
});
