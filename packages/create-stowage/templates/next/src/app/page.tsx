export { Documents as default } from "../stowage/documents";
