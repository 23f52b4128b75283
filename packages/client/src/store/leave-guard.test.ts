import { expect, test } from "vitest";
import { aFile, aRuntime } from "../../test/runtime.js";
import { createFakeTransport } from "../testing/index.js";
import { createUploadStore } from "./upload-store.js";

test("asks before the page is left while files are uploaded, unless the page does not want it", async () => {
  const runtime = aRuntime();
  const transport = createFakeTransport();
  const store = createUploadStore({ transport }, runtime);
  expect(runtime.isLeavingAsked()).toBe(false);
  const put = transport.holdNext("put");
  store.add([aFile()]);
  await put.arrived;
  expect(runtime.isLeavingAsked()).toBe(true);
  store.configure({ transport, leaveGuard: false });
  expect(runtime.isLeavingAsked()).toBe(false);
  store.configure({ transport });
  put.release();
  await expect.poll(() => runtime.isLeavingAsked()).toBe(false);
});
