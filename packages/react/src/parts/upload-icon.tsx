import { uploadPath } from "@stowage/client/internals";
import { icon } from "./icon.js";

export const uploadIcon = /* @__PURE__ */ icon(uploadPath);
