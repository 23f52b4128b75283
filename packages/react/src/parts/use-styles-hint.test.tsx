// @vitest-environment happy-dom
import { createFakeTransport } from "@stowage/client/testing";
import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const logged: unknown[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  // A hint is given once for each page. Here, each test is a page.
  vi.resetModules();
  logged.length = 0;
  vi.spyOn(console, "warn").mockImplementation((text) => logged.push(text));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
  document.head.replaceChildren();
});

async function renderAll(styles = "") {
  const { UploadDropzone } = await import("../upload-dropzone.js");
  const { UploadButton } = await import("../upload-button.js");
  const style = document.createElement("style");
  style.textContent = styles;
  document.head.append(style);
  const transport = createFakeTransport();
  render(
    <>
      <UploadDropzone transport={transport} />
      <UploadButton transport={transport} />
    </>,
  );
  await vi.advanceTimersByTimeAsync(10_000);
}

test("names the missing style sheet once, with its import and how to be silent", async () => {
  await renderAll();
  expect(logged).toEqual([expect.stringMatching(/@stowage\/react\/styles\.css.*--stowage-styles: own/)]);
});

test("says nothing with the style sheet, and nothing about styles of the page's own", async () => {
  await renderAll(".stowage { --stowage-styles: default; }");
  await renderAll(":root { --stowage-styles: own; }");
  expect(logged).toEqual([]);
});

test("says nothing about parts, which have no styles", async () => {
  const Upload = await import("./index.js");
  render(
    <Upload.Root transport={createFakeTransport()}>
      <Upload.Trigger />
    </Upload.Root>,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(logged).toEqual([]);
});
