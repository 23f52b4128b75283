import { createStowage } from "@stowage/server";
import * as z from "zod";

/** A helper with upload routes. The page imports only its type. */
export const stowage = createStowage({
  apiKey: "a key",
  baseUrl: "https://files.example.com",
  tenant: () => "user_ada",
  routes: {
    avatar: {
      accept: "image/*",
      maxSize: "4MB",
      onComplete: ({ file }) => ({ url: `/avatars/${file.filePath}`, takenAt: new Date() }),
    },
    document: {
      input: z.object({ album: z.number() }),
      metadata: ({ input }) => ({ album: input.album.toFixed() }),
      onComplete: () => {},
    },
  },
});
