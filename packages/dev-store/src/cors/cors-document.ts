import { S3Error } from "../errors.js";
import { childText, childrenOf, requireOnly, type XmlNode } from "../xml/read-xml.js";
import type { XmlElement } from "../xml/write-xml.js";
import type { CorsRule } from "./cors-rule.js";

const MAX_RULES = 100;
const METHODS = new Set(["GET", "PUT", "HEAD", "POST", "DELETE"]);
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** @throws S3Error MalformedXML, InvalidRequest */
export function readCorsDocument(document: XmlNode): CorsRule[] {
  const rules = childrenOf(document, "CORSRule").map(readRule);
  if (rules.length < 1 || rules.length > MAX_RULES || rules.length !== document.children.length)
    throw new S3Error("MalformedXML");
  return rules;
}

export function writeCorsRules(rules: readonly CorsRule[]): XmlElement[] {
  return rules.map((rule) => [
    "CORSRule",
    [
      rule.id === undefined ? undefined : ["ID", rule.id],
      ...rule.allowedOrigins.map((origin): XmlElement => ["AllowedOrigin", origin]),
      ...rule.allowedMethods.map((method): XmlElement => ["AllowedMethod", method]),
      ...rule.allowedHeaders.map((name): XmlElement => ["AllowedHeader", name]),
      ...rule.exposeHeaders.map((name): XmlElement => ["ExposeHeader", name]),
      rule.maxAgeSeconds === undefined ? undefined : ["MaxAgeSeconds", rule.maxAgeSeconds],
    ],
  ]);
}

function readRule(node: XmlNode): CorsRule {
  requireOnly(node, "ID", "AllowedOrigin", "AllowedMethod", "AllowedHeader", "ExposeHeader", "MaxAgeSeconds");
  const texts = (name: string): string[] => childrenOf(node, name).map(({ text }) => text.trim());
  const rule: CorsRule = {
    id: childText(node, "ID"),
    allowedOrigins: texts("AllowedOrigin"),
    allowedMethods: texts("AllowedMethod"),
    allowedHeaders: texts("AllowedHeader"),
    exposeHeaders: texts("ExposeHeader"),
    maxAgeSeconds: readMaxAge(childText(node, "MaxAgeSeconds")),
  };
  if (rule.allowedOrigins.length === 0 || rule.allowedMethods.length === 0) throw new S3Error("MalformedXML");
  for (const method of rule.allowedMethods)
    if (!METHODS.has(method))
      throw new S3Error("InvalidRequest", "Found unsupported HTTP method in CORS config.");
  for (const pattern of [...rule.allowedOrigins, ...rule.allowedHeaders])
    if (pattern.split("*").length > 2)
      throw new S3Error(
        "InvalidRequest",
        "An AllowedOrigin or AllowedHeader can not have more than one wildcard.",
      );
  // These names are sent back in a header, so they must not contain characters that could end it.
  for (const name of [...rule.allowedHeaders, ...rule.exposeHeaders])
    if (!HEADER_NAME.test(name))
      throw new S3Error("InvalidRequest", "A header name of the CORS config is not valid.");
  return rule;
}

function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\s*\d{1,9}\s*$/.test(text)) throw new S3Error("MalformedXML");
  return Number(text);
}
