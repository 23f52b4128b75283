import { createStowage } from "@stowage/server";
import { cookies } from "next/headers";

/**
 * Server code: the key is read here, and the page imports the type alone. Made at the first request, since the key is not
 * there when the app is built.
 */
export const makeStowage = () =>
  createStowage({
    apiKey: process.env["STOWAGE_API_KEY"],
    baseUrl: process.env["STOWAGE_URL"],
    tenant: async () => (await cookies()).get("session")?.value ?? null,
    routes: {
      avatar: {
        accept: "image/*",
        maxSize: "4MB",
        onComplete: ({ tenantId, file }) => ({ url: `/avatars/${tenantId}/${file.filename}` }),
      },
    },
  });
