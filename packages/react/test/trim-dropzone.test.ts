import { trimDropzone } from "@stowage/dropzone";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

test.each([
  ["function useDropzone(props) { const { accept } = props; }", "react-dropzone has no maxSize"],
  ["const setFiles = 1; function other() { const setFiles = 2; }", "react-dropzone has setFiles twice"],
])("refuses a version of react-dropzone that it does not know: %s", async (code, message) => {
  const id = "/node_modules/react-dropzone/dist/index.js";
  const other = { name: "other", resolveId: () => id, load: () => code };
  const bundle = await rolldown({ input: id, plugins: [other, trimDropzone()] });
  await expect(bundle.generate()).rejects.toThrow(message);
});
