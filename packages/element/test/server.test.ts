import { expect, test } from "vitest";

test("the import works on a server, and registers nothing there", async () => {
  const { registerLocales, StowageDropzone } = await import("../src/index.js");
  expect(StowageDropzone.formAssociated).toBe(true);
  expect(registerLocales).toBeTypeOf("function");
  expect(globalThis.customElements?.get("stowage-dropzone")).toBeUndefined();
});
