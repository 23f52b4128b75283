import {
  alertPath,
  checkPath,
  closePath,
  collapsePath,
  pausePath,
  resumePath,
  retryPath,
} from "@stowage/client/internals/list";
import { icon } from "./icon.js";

export const checkIcon = /* @__PURE__ */ icon(checkPath);
export const alertIcon = /* @__PURE__ */ icon(alertPath);
export const closeIcon = /* @__PURE__ */ icon(closePath);
export const pauseIcon = /* @__PURE__ */ icon(pausePath);
export const resumeIcon = /* @__PURE__ */ icon(resumePath);
export const collapseIcon = /* @__PURE__ */ icon(collapsePath);
export const retryIcon = /* @__PURE__ */ icon(retryPath);
