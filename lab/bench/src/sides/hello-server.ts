import { createServer } from "node:http";

/* The smallest Node server. */
createServer((_, response) => response.end("ok")).listen(Number(process.env["PORT"]), "127.0.0.1");
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());
