import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  // The tests beside the tables need vitest.
  schema: "./src/db/schema/!(*.test).ts",
  out: "./src/db/migrations",
});
