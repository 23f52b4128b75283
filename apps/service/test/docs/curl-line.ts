import { type Operation, operations } from "@stowage/schemas";
import type { Example } from "./examples.js";

/** Returns the curl command of an example, for a POSIX shell in which STOWAGE, KEY and the paths of the examples are set. */
export function curlLine({ operation: id, send }: Example): string {
  const operation: Operation = operations[id];
  const parts = [`curl -s "$STOWAGE${operation.path}"`];
  if (operation.method === "PUT") parts[0] = parts[0]!.replace("curl -s", "curl -s -X PUT");
  if (!operation.isPublic) parts.push(`-H "Authorization: Bearer $KEY"`);
  if (operation.query) {
    parts[0] = parts[0]!.replace("curl -s", "curl -s -G");
    for (const [name, value] of Object.entries(send))
      parts.push(`--data-urlencode "${name}=${String(value)}"`);
  }
  if (operation.body) parts.push("-H 'Content-Type: application/json'", `-d ${quoteJson(send)}`);
  return parts.join(" \\\n  ");
}

/** Uses the more readable single quotes unless the shell must replace a variable. */
function quoteJson(value: object): string {
  const json = JSON.stringify(value);
  return json.includes("$") ? `"${json.replaceAll('"', '\\"')}"` : `'${json}'`;
}
