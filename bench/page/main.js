import { UploadDropzone } from "@stowage/react";
import "@stowage/react/styles.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

// `?wait` leaves the files in the list. `?bare` has an input without a listener.
if (location.search === "?bare") document.body.innerHTML = "<input type=file multiple>";
else showWidget(location.search !== "?wait");

function showWidget(autoStart) {
  const onSettled = ({ totals }) => {
    window.settled = { at: performance.now(), totals };
  };
  addEventListener("change", () => (window.chosenAt = performance.now()), true);
  createRoot(document.getElementById("root")).render(
    createElement(UploadDropzone, { endpoint: "/api/files", autoStart, onSettled }),
  );
}
