import { fileURLToPath } from "node:url";
import express from "express";
import { app } from "./app";

// `npm start`: the backend and the built page. In `npm run dev`, Vite serves the page.
app.use(express.static(fileURLToPath(new URL("../page", import.meta.url))));

const port = Number(process.env.PORT ?? 3000);
app.listen(port, (error) => {
  // Express calls this too if the port is taken.
  if (error) throw error;
  console.log(`http://localhost:${port}`);
});
