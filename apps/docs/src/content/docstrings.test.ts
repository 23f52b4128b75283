import { expect, test } from "vitest";
import { readDocstrings } from "./docstrings.js";

const server = readDocstrings("packages/server");

test("reads description, parameters, errors and examples of a function", () => {
  const text = server.get("createStowage")?.text ?? "";
  expect(text).toMatch(/^[A-Z]/);
  expect(text).toMatch(/```tsx\nconst stowage = createStowage\(\{\n {2}apiKey: /);
  expect(server.get("verifyWebhook")?.text).toMatch(/\n- `\w+`: /);
  expect(server.get("verifyWebhook")?.text).toMatch(/\nThrows /);
});

test("keeps the docstrings of a type's members beside them", () => {
  const { declaration } = server.get("StowageOptions")!;
  expect(declaration).toMatch(/^interface StowageOptions</);
  expect(declaration).toMatch(/ {2}\/\*\* The project's API key.*\n {2}apiKey: /);
});

test("a type that is inferred from a schema has the text of the schema", () => {
  const schemas = readDocstrings("packages/schemas");
  expect(schemas.get("BrowserFile")?.text).toBe(schemas.get("browserFile")?.text);
});

test("knows the names that are exported under another one", () => {
  expect(readDocstrings("packages/client").get("StoredFile")).toEqual({ text: "", alias: "BrowserFile" });
  expect(readDocstrings("packages/react").get("Upload")?.text).toContain("unstyled parts");
});
