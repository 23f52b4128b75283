import { FileGrid } from "@stowage/react/images";
import "@stowage/react/images.css";
import "@stowage/react/styles.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

const LOOK_MS = 20;

// `?variant=thumb` shows the variants of this preset, and without it the files themselves.
const variant = new URLSearchParams(location.search).get("variant") ?? undefined;
createRoot(document.getElementById("root")).render(
  createElement(FileGrid, { endpoint: "/api/files", pageSize: 100, variant }),
);
look();

/** Records when all images of the first screen are shown. */
function look() {
  const tiles = [...document.querySelectorAll(".stowage-tile")].filter(
    (tile) => tile.getBoundingClientRect().top < innerHeight,
  );
  const isShown = (tile) => tile.querySelector('[data-status="loaded"]') !== null;
  if (tiles.length > 0 && tiles.every(isShown)) {
    window.firstScreen = { ms: performance.now(), images: tiles.length };
  } else {
    setTimeout(look, LOOK_MS);
  }
}
