import { existsSync } from "node:fs";
import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The server reads its settings from process.env. In production, your platform sets them.
if (existsSync(".env")) process.loadEnvFile(".env");

export default defineConfig({
  plugins: [tanstackStart(), react()],
  server: { port: 3000, watch: { ignored: ["**/.stowage/**"] } },
});
