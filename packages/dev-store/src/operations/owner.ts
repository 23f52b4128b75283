import type { XmlElement } from "../xml/write-xml.js";

/** The owner of every bucket and object. This store has one user, so the id only has the form of an AWS account's. */
export const OWNER: XmlElement = [
  "Owner",
  [
    ["ID", "0".repeat(64)],
    ["DisplayName", "dev-store"],
  ],
];
