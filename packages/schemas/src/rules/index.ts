export { accepts } from "./accepts.js";
export { brokenRule } from "./broken-rule.js";
export { mediaTypeOf, mediaTypeOfName, nameForMediaType } from "./media-types.js";
export * from "./page-rules.js";
