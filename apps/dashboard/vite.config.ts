import { thirdParty } from "@stowage/third-party";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressed } from "./compressed.config.js";

/** The service that `vite` proxies to during development. Start it with DASHBOARD_URL=http://localhost:5173. */
const service = process.env["STOWAGE_URL"] ?? "http://localhost:4000";

export default defineConfig({
  plugins: [react(), compressed(), { ...thirdParty(), apply: "build" }],
  build: { outDir: "dist", emptyOutDir: true, manifest: true, chunkSizeWarningLimit: 700 },
  server: { proxy: { "/trpc": service, "/auth": service, "/dashboard": service, "/readyz": service } },
});
