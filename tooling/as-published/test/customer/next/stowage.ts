import { createStowage } from "@stowage/server";
import { cookies } from "next/headers";

/**
 * Server code, which reads the key; the page imports only its type. The helper is created at the first request, because the
 * build has no key.
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
      films: { multipartFrom: "5MB" },
    },
  });
