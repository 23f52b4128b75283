import { UploadDropzone } from "@stowage/react";
import "@stowage/react/styles.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

// `?wait` leaves the files in the list. `?bare` has an input without a listener. `?put` sends every file in one PUT.
if (location.search === "?bare") document.body.innerHTML = "<input type=file multiple>";
else showWidget(location.search !== "?wait");

function showWidget(autoStart) {
  const onSettled = ({ items, totals }) => {
    // A person presses the button when a file has failed.
    const retry = document.querySelector("[data-part=retry]");
    if (totals.done === totals.files || !retry) {
      const errors = items.flatMap(({ error }) => error?.code ?? []);
      window.settled = { at: performance.now(), totals, errors: [...new Set(errors)] };
    } else retry.click();
  };
  const route = location.search === "?put" ? "onePut" : "files";
  addEventListener("change", () => (window.chosenAt = performance.now()), true);
  createRoot(document.getElementById("root")).render(
    createElement(UploadDropzone, { endpoint: "/api/files", route, autoStart, onSettled }),
  );
}
