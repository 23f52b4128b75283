import { UploadDropzone } from "@stowage/react";
import "@stowage/react/styles.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

const AFTER_RENDER_MS = 500;

// `?wait` leaves the files in the list. `?bare` has an input without a listener. `?put` sends every file in one PUT.
if (location.search === "?bare") document.body.innerHTML = "<input type=file multiple>";
else showWidget(location.search !== "?wait");

function showWidget(autoStart) {
  const onSettled = ({ items, totals }) => {
    if (totals.done === totals.files) window.settled = { at: performance.now(), totals };
    else setTimeout(retry, AFTER_RENDER_MS, { items, totals });
  };
  const route = location.search === "?put" ? "onePut" : "files";
  addEventListener("change", () => (window.chosenAt = performance.now()), true);
  createRoot(document.getElementById("root")).render(
    createElement(UploadDropzone, { endpoint: "/api/files", route, autoStart, onSettled }),
  );
}

/** Presses the button for failed files, as a person does. Without one, the errors are final. */
function retry({ items, totals }) {
  const button = document.querySelector("[data-part=retry]");
  if (button) button.click();
  else {
    const errors = items.flatMap(({ error }) => error?.code ?? []);
    window.settled = { at: performance.now(), totals, errors: [...new Set(errors)] };
  }
}
