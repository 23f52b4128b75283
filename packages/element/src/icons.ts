import { uploadPath } from "@stowage/client/internals";
import {
  alertPath,
  checkPath,
  closePath,
  pausePath,
  resumePath,
  retryPath,
} from "@stowage/client/internals/list";
import { html } from "lit";

/** Each icon accompanies a text or a label, so it needs no accessible name. */
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

export const uploadIcon = /* @__PURE__ */ icon(uploadPath);
export const checkIcon = /* @__PURE__ */ icon(checkPath);
export const alertIcon = /* @__PURE__ */ icon(alertPath);
export const closeIcon = /* @__PURE__ */ icon(closePath);
export const pauseIcon = /* @__PURE__ */ icon(pausePath);
export const resumeIcon = /* @__PURE__ */ icon(resumePath);
export const retryIcon = /* @__PURE__ */ icon(retryPath);
