import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { app } from "./app";

// `npm start`: the backend and the built page. In `npm run dev`, Vite serves the page.
app.use("*", serveStatic({ root: "dist/page" }));

const port = Number(process.env.PORT ?? 3000);
serve({ fetch: app.fetch, port }, () => console.log(`http://localhost:${port}`));
