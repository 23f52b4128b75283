/** The rules that a page needs first: all but those that need the table of media types, which is larger than the others together. */
export { acceptTokens, mayAccept, type Accept } from "./accept.js";
export { brokenBound, type BrokenRule, type FileRules, type RuledFile } from "./file-rules.js";
export { convertedImageTypes, shownImageTypes } from "./image-types.js";
export { formatBytes, formatNumber } from "./format-bytes.js";
export { choosePartSize, countParts, sizeOfPart } from "./part-sizes.js";
export { fullJitterMs, parseRetryAfterMs } from "./retry.js";
export { parseSize, type Size } from "./size.js";
