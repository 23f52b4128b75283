import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page alone: the backend is plain tsc, and serves what this builds. */
export default defineConfig({
  root: "src/page",
  plugins: [react()],
  build: { outDir: "../../dist/page", emptyOutDir: true },
});
