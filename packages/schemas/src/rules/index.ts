export { accepts, acceptTokens, type Accept } from "./accept.js";
export { brokenRule, type BrokenRule, type FileRules, type RuledFile } from "./file-rules.js";
export { formatBytes, formatNumber } from "./format-bytes.js";
export { choosePartSize, countParts, sizeOfPart } from "./part-sizes.js";
export { fullJitterMs, parseRetryAfterMs } from "./retry.js";
export { parseSize, type Size } from "./size.js";
