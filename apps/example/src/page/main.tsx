import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@stowage/react/styles.css";
import "@stowage/react/images.css";
import "./page.css";
import { App } from "./app.js";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
