import { existsSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// The server reads its settings from process.env. In production, your platform sets them.
if (existsSync(".env")) process.loadEnvFile(".env");

export default defineConfig({
  plugins: [react(), expressInDevelopment()],
  server: { port: 3000, watch: { ignored: ["**/.stowage/**"] } },
});

/** Lets Express answer /api in `npm run dev`. Changes of its code take effect with the next request. */
function expressInDevelopment(): Plugin {
  return {
    name: "express-in-development",
    configureServer(vite) {
      vite.middlewares.use((request, response, next) => {
        if (!request.url?.startsWith("/api/")) return next();
        vite.ssrLoadModule("/src/server/app.ts").then(({ app }) => app(request, response, next), next);
      });
    },
  };
}
