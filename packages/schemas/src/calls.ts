/* Without the default export of the index: the namespace `calls` of the package has calls only. */
export * from "./calls/index.js";
