// @vitest-environment happy-dom
import { act, cleanup, render } from "@testing-library/react";
import { type ReactNode, StrictMode, useMemo, useRef, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";
import { FileBrowser } from "./browser/index.js";
import { createImageParts, FileGrid, UploadAvatar } from "./images/index.js";
import { createUploader, Upload, UploadButton, UploadDropzone, useFiles, useUpload } from "./index.js";
import { createFakeTransport } from "./testing/index.js";

// A backend that is slow to answer.
beforeEach(() => void vi.stubGlobal("fetch", () => new Promise(() => {})));
afterEach(cleanup);

const endpoint = "/api/stowage";

const uploader = createUploader({ endpoint });
const images = createImageParts({ endpoint });

function Uploads() {
  return <p>{useUpload({ endpoint }).totals.files}</p>;
}

function Stored() {
  return <p>{useFiles({ endpoint }).status}</p>;
}

/** Everything that renders, as a page uses it first. */
const PAGES: Record<string, ReactNode> = {
  UploadDropzone: <UploadDropzone endpoint={endpoint} accept="image/*" maxSize="20MB" maxFiles={3} />,
  "UploadDropzone of a route": <UploadDropzone endpoint={endpoint} route="photos" input={{ album: 7 }} />,
  UploadButton: <UploadButton endpoint={endpoint} list />,
  "a widget of createUploader": <uploader.UploadDropzone />,
  "a widget with a transport": <UploadDropzone transport={createFakeTransport()} />,
  UploadAvatar: <UploadAvatar endpoint={endpoint} alt="Ada" fallback="A" />,
  FileGrid: <FileGrid endpoint={endpoint} variant="thumb" />,
  FileBrowser: <FileBrowser endpoint={endpoint} layout="grid" />,
  "a grid of createImageParts": <images.FileGrid layout="rows" />,
  useUpload: <Uploads />,
  useFiles: <Stored />,
  "the parts": (
    <Upload.Provider user="ada">
      <form>
        <Upload.Root endpoint={endpoint} messages={{ locale: "de" }}>
          <Upload.Page />
          <Upload.Dropzone>
            <Upload.Title />
            <Upload.Trigger />
            <Upload.Trigger source="folder" />
            <Upload.Hint />
          </Upload.Dropzone>
          <Upload.Input name="files" required />
          <Upload.List />
          <Upload.Progress />
          <Upload.Status />
          <Upload.Start />
          <Upload.PauseAll />
          <Upload.RetryAll />
          <Upload.CancelAll />
          <Upload.Clear />
        </Upload.Root>
      </form>
      <Upload.Tray />
    </Upload.Provider>
  ),
};

test.each(Object.entries(PAGES))(
  "%s renders the same page on a server and in a browser, without a clock or a random number",
  async (_, page) => {
    const logged = vi.spyOn(console, "error");
    const container = document.body.appendChild(document.createElement("div"));
    const strict = <StrictMode>{page}</StrictMode>;
    container.innerHTML = renderToString(strict);
    const recovered = vi.fn();
    const root = await act(() => hydrateRoot(container, strict, { onRecoverableError: recovered }));
    expect(recovered.mock.calls).toEqual([]);
    expect(logged.mock.calls).toEqual([]);
    act(() => root.unmount());
    container.remove();
    logged.mockRestore();
  },
);

test("a page that is rendered first where a list already has files shows what the server has rendered", async () => {
  const transport = createFakeTransport();
  const page = <UploadDropzone transport={transport} listKey="kept" autoStart={false} />;
  const html = renderToString(page);
  // Another component of the same list has added a file, and is gone.
  let add: (files: File[]) => void = () => {};
  function Adds() {
    const upload = useUpload({ transport, listKey: "kept" });
    return <p ref={() => void (add = upload.add)} />;
  }
  const before = render(<Adds />);
  act(() => add([aFile("kept.jpg")]));
  before.unmount();
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = html;
  const recovered = vi.fn();
  const root = await act(() => hydrateRoot(container, page, { onRecoverableError: recovered }));
  expect(recovered.mock.calls).toEqual([]);
  await expect.poll(() => container.textContent).toContain("kept.jpg");
  act(() => root.unmount());
  container.remove();
});

const timeInHelper = () => Date.now();

/** What no component may do. The linter does not see all of them. */
const VIOLATIONS: Record<string, () => unknown> = {
  "Date.now()": () => Date.now(),
  "Date.now() in a function that it calls": () => timeInHelper(),
  "new Date()": () => new Date(),
  "Date()": () => Date(),
  "Math.random()": () => Math.random(),
  "performance.now()": () => performance.now(),
  "crypto.randomUUID()": () => crypto.randomUUID(),
  "crypto.getRandomValues()": () => crypto.getRandomValues(new Uint8Array(1)),
};

test.each(Object.entries(VIOLATIONS))("these tests refuse %s in a component", (_, read) => {
  const Component = () => <p>{String(read())}</p>;
  expectRefused(<Component />);
});

test("these tests refuse a time in the initialisers of hooks", () => {
  const InState = () => <p>{useState(timeInHelper)[0]}</p>;
  const InMemo = () => <p>{useMemo(() => timeInHelper(), [])}</p>;
  const InRef = () => {
    const ref = useRef(timeInHelper());
    return <p ref={() => void ref.current} />;
  };
  for (const Component of [InState, InMemo, InRef]) expectRefused(<Component />);
});

test("these tests allow a moment that is given", () => {
  const Component = () => <p>{new Date(0).toISOString()}</p>;
  expect(renderToString(<Component />)).toContain("1970-01-01");
  expect(new Date(0)).toBeInstanceOf(Date);
});

function expectRefused(page: ReactNode) {
  expect(() => renderToString(page)).toThrow("was called while React rendered");
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(() => render(page)).toThrow("was called while React rendered");
  logged.mockRestore();
}
