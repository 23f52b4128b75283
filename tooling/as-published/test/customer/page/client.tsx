import "@stowage/react/styles.css";
import { hydrateRoot } from "react-dom/client";
import { App } from "./app.js";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
hydrateRoot(root, <App strict={location.search === "?strict"} />, {
  onRecoverableError: (error) => console.error(error),
});
