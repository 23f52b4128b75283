import { trimDropzone } from "@stowage/dropzone";
import { withBase } from "../../vitest.base.js";

// What is published is what is tested.
export default withBase({
  plugins: [trimDropzone()],
  test: { setupFiles: "test/setup-testing-library.ts", server: { deps: { inline: ["react-dropzone"] } } },
});
