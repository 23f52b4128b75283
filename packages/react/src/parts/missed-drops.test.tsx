// @vitest-environment happy-dom
import { createFakeTransport } from "@stowage/client/testing";
import { cleanup, createEvent, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, expect, test } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";
import { aDropped, choose, group, waitForRows } from "../../test/rendered-widget.js";
import { UploadDropzone } from "../upload-dropzone.js";
import * as Upload from "./index.js";

afterEach(cleanup);

const files = { items: [aDropped("beside.jpg")], files: [], types: ["Files"] };
const drop = (target: Element, dataTransfer: object) => {
  const event = createEvent.drop(target, { dataTransfer });
  fireEvent(target, event);
  return event;
};
const MISSED = "Drop the files inside this area.";
const EMPTY = "This folder has no files.";

function renderPage(other = <p>Text</p>) {
  render(
    <StrictMode>
      <UploadDropzone transport={createFakeTransport({})} />
      {other}
    </StrictMode>,
  );
}

test("says where to drop when files are dropped beside the widget, and the browser stays on the page", async () => {
  renderPage();
  const event = drop(screen.getByText("Text"), files);
  expect(event.defaultPrevented).toBe(true);
  expect(screen.getByText(MISSED)).toBeTruthy();
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain(MISSED));
  choose(aFile("inside.jpg"));
  await waitForRows("done");
  expect(group().querySelector("[data-notice]")).toBeNull();
});

test("says it no longer when another part of the page takes the files", () => {
  renderPage(
    <>
      <button onDrop={(event) => event.preventDefault()}>Other zone</button>
      <p>Text</p>
    </>,
  );
  drop(screen.getByText("Text"), files);
  expect(screen.getByText(MISSED)).toBeTruthy();
  drop(screen.getByText("Other zone"), files);
  expect(group().querySelector("[data-notice]")).toBeNull();
});

test("says nothing about files that another part of the page takes, and about text", () => {
  renderPage(
    <>
      <button onDrop={(event) => event.preventDefault()}>Other zone</button>
      <p>Text</p>
    </>,
  );
  drop(screen.getByText("Other zone"), files);
  drop(screen.getByText("Text"), { items: [], files: [], types: ["text/plain"] });
  expect(group().querySelector("[data-notice]")).toBeNull();
});

test("says nothing if the whole page takes files, or the widget takes none", () => {
  const transport = createFakeTransport({});
  const { rerender } = render(
    <Upload.Root transport={transport}>
      <Upload.Hint />
      <Upload.Page drop />
    </Upload.Root>,
  );
  drop(document.body, files);
  expect(screen.queryByText(MISSED)).toBeNull();
  rerender(
    <Upload.Root transport={transport} disabled>
      <Upload.Hint />
    </Upload.Root>,
  );
  drop(document.body, files);
  expect(screen.queryByText(MISSED)).toBeNull();
});

test.each([
  ["without files", []],
  ["with nothing but files of the system", [".DS_Store"]],
])("says that a dropped folder is empty: %s", async (_what, names) => {
  renderPage();
  const entries = names.map((name) => ({
    isFile: true,
    isDirectory: false,
    fullPath: `/empty/${name}`,
    file: (done: (file: File) => void) => done(aFile(name)),
  }));
  const folder = {
    isDirectory: true,
    createReader: () => {
      const pages = [entries, []];
      return { readEntries: (done: (page: unknown[]) => void) => done(pages.shift() ?? []) };
    },
  };
  const item = { kind: "file", type: "", getAsFile: () => aFile("empty", 0), webkitGetAsEntry: () => folder };
  drop(group(), { items: [item], files: [], types: ["Files"] });
  expect(await screen.findByText(EMPTY)).toBeTruthy();
  expect(screen.queryAllByRole("listitem")).toEqual([]);
});

test("says that a dropped text must be saved first, until the next drag", async () => {
  renderPage();
  drop(group(), { items: [], files: [], types: ["text/plain", "text/uri-list"] });
  const sentence = "Save this as a file first, then choose the file.";
  expect(await screen.findByText(sentence)).toBeTruthy();
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(sentence));
  fireEvent.dragEnter(group(), { dataTransfer: files });
  expect(group().querySelector("[data-notice]")).toBeNull();
});

test("says how many system files were left out, and keeps the limits visible", async () => {
  render(<UploadDropzone transport={createFakeTransport({})} maxFiles={2} />);
  choose(aFile("._a.jpg"), aFile("a.jpg"), aFile("Thumbs.db"));
  const sentence = "2 system files were left out.";
  const hint = (await screen.findByText(sentence, { selector: "span" })).parentElement!;
  expect(hint.textContent).toBe(`At most 2 files${sentence}`);
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain(sentence));
  await waitForRows("done");
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
});
