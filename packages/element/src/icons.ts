import { html } from "lit";

/** An icon on a grid of 24 px. Each accompanies a text or a label, so it needs no accessible name. */
const icon = (path: string) =>
  html` <svg
    class="stowage-icon"
    viewBox="0 0 24 24"
    width="18"
    height="18"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    aria-hidden="true"
  >
    <path d=${path}></path>
  </svg>`;

export const uploadIcon = /* @__PURE__ */ icon("M12 16V4M7 9l5-5 5 5M4 15v5h16v-5");
export const checkIcon = /* @__PURE__ */ icon("m5 12.5 4.5 4.5L19 7.5");
export const alertIcon = /* @__PURE__ */ icon("M12 8v4m0 4h0M21 12a9 9 0 1 1 0-.01");
export const closeIcon = /* @__PURE__ */ icon("M6 6l12 12M18 6 6 18");
export const pauseIcon = /* @__PURE__ */ icon("M8 5v14M16 5v14");
export const resumeIcon = /* @__PURE__ */ icon("M7 5v14l12-7z");
export const retryIcon = /* @__PURE__ */ icon("M4 9a8 8 0 1 1 0 6M4 4v5h5");
