import {
  alertPath,
  checkPath,
  closePath,
  collapsePath,
  pausePath,
  resumePath,
  retryPath,
  uploadPath,
} from "@stowage/client/internals";

// The attributes are for a page without the style sheet: an SVG without a size fills its container. Each icon
// accompanies a text or a label, so it needs no accessible name.
const icon = (path: string) => (
  <svg
    className="stowage-icon"
    viewBox="0 0 24 24"
    width={18}
    height={18}
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);

export const uploadIcon = /* @__PURE__ */ icon(uploadPath);
export const checkIcon = /* @__PURE__ */ icon(checkPath);
export const alertIcon = /* @__PURE__ */ icon(alertPath);
export const closeIcon = /* @__PURE__ */ icon(closePath);
export const pauseIcon = /* @__PURE__ */ icon(pausePath);
export const resumeIcon = /* @__PURE__ */ icon(resumePath);
export const collapseIcon = /* @__PURE__ */ icon(collapsePath);
export const retryIcon = /* @__PURE__ */ icon(retryPath);
