import { join } from "node:path";
import { compressFiles } from "@stowage/compressed-files";
import { thirdParty } from "@stowage/third-party";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The service that `vite` proxies to during development. Start it with DASHBOARD_URL=http://localhost:5173. */
const service = process.env["STOWAGE_URL"] ?? "http://localhost:4000";

export default defineConfig({
  plugins: [react(), compressed(), { ...thirdParty(), apply: "build" }],
  // The service may serve it below any path, so scripts and styles find each other relatively. It changes the addresses in the page.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/${file}` : { relative: true }),
  },
  build: { outDir: "dist", emptyOutDir: true, manifest: true, chunkSizeWarningLimit: 700 },
  server: { proxy: { "/trpc": service, "/auth": service, "/dashboard": service, "/readyz": service } },
});

/** The service sends these copies, so it need not compress at request time. */
function compressed(): Plugin {
  let folder = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved: ({ root, build }) => void (folder = join(root, build.outDir)),
    closeBundle: () => compressFiles(folder),
  };
}
