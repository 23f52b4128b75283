import "@fontsource-variable/inter/index.css";
import "@mantine/core/styles.css";
import "@mantine/dates/styles.css";
import "@mantine/notifications/styles.css";
import "./main.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Providers } from "./providers.js";
import { watchNetwork } from "./service.js";

watchNetwork();

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
);
