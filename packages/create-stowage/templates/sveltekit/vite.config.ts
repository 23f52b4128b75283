import { existsSync } from "node:fs";
import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

// The server reads its settings from process.env. In production, your platform sets them.
if (existsSync(".env")) process.loadEnvFile(".env");

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter() })],
  server: { port: 3000, watch: { ignored: ["**/.stowage/**"] } },
});
