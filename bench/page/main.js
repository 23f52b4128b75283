import { UploadDropzone } from "@stowage/react";
import "@stowage/react/styles.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

// `?wait` leaves the files in the list.
const autoStart = !location.search.includes("wait");
const onSettled = ({ totals }) => {
  window.settled = { at: performance.now(), totals };
};
addEventListener("change", () => (window.chosenAt = performance.now()), true);
createRoot(document.getElementById("root")).render(
  createElement(UploadDropzone, { endpoint: "/api/files", autoStart, onSettled }),
);
