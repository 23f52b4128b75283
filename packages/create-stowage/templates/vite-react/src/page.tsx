import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Documents } from "./stowage/documents";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Documents />
  </StrictMode>,
);
