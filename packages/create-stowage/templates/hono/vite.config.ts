import { existsSync } from "node:fs";
import devServer from "@hono/vite-dev-server";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The server reads its settings from process.env. In production, your platform sets them.
if (existsSync(".env")) process.loadEnvFile(".env");

export default defineConfig({
  plugins: [
    react(),
    // In `npm run dev`, Hono answers /api and Vite everything else.
    devServer({
      entry: "src/server/app.ts",
      export: "app",
      exclude: [/^\/(?!api\/)/],
      injectClientScript: false,
    }),
  ],
  server: { port: 3000, watch: { ignored: ["**/.stowage/**"] } },
});
