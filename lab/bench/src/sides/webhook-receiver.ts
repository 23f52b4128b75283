import { createServer } from "node:http";
import { listen } from "./listen.js";

listen(
  createServer((request, response) => void request.resume().on("end", () => response.writeHead(204).end())),
);
