export { files, fileStatus } from "./files.js";
export { projects } from "./projects.js";
export { tenants } from "./tenants.js";
export { tombstones } from "./tombstones.js";
