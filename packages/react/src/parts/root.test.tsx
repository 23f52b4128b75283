// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { type DragEvent, StrictMode, useLayoutEffect } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "@stowage/client-fixtures/backend";
import { aFile } from "@stowage/client-fixtures/runtime";
import { aDropped, choose, group, rowsOf, waitForRows } from "../../test/rendered-widget.js";
import { UploadDropzone } from "../upload-dropzone.js";
import { useUpload } from "../use-upload.js";
import * as Upload from "./index.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => {
  cleanup();
  backend.close();
});

test("renders without classes or a style sheet, around its children", async () => {
  render(
    <StrictMode>
      <Upload.Root
        endpoint={backend.endpoint}
        label="Photos"
        className="mine"
        data-testid="root"
        lang="en"
        maxSize="10MB"
      >
        <Upload.Dropzone>
          <Upload.Title />
          <Upload.Trigger />
          <Upload.Hint />
        </Upload.Dropzone>
        <Upload.List />
      </Upload.Root>
    </StrictMode>,
  );
  const root = screen.getByTestId("root");
  expect(root).toBe(screen.getByRole("group", { name: "Photos" }));
  expect(root.className).toBe("mine");
  expect(root.lang).toBe("en");
  expect(root.hasAttribute("endpoint")).toBe(false);
  expect(root.hasAttribute("maxsize")).toBe(false);
  expect(screen.getByText("Up to 10 MB")).toBeTruthy();
  choose(aFile("a.jpg"));
  await waitForRows("done");
  expect(within(rowsOf("done")[0]!).getByText("Uploaded")).toBeTruthy();
});

test.each([
  ["pending", "Uploaded · Checking for viruses"],
  ["clean", "Uploaded"],
  [undefined, "Uploaded"],
])(
  "a file is done after its upload, and says whether its virus scan is under way (%s)",
  async (scanStatus, text) => {
    backend.settings.scanStatus = scanStatus;
    render(<UploadDropzone endpoint={backend.endpoint} />);
    choose(aFile("a.pdf"));
    await waitForRows("done");
    expect(within(rowsOf("done")[0]!).getByText(text)).toBeTruthy();
  },
);

test("throws with the name of the missing parent when a part is rendered alone", () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(() => render(<Upload.Trigger />)).toThrow("Render this part inside Upload.Root");
});

test("lists a folder that cannot be read, and adds the files dropped with it", async () => {
  render(
    <Upload.Root endpoint={backend.endpoint}>
      <Upload.List />
    </Upload.Root>,
  );
  const unreadable = {
    isDirectory: true,
    createReader: () => ({
      readEntries: (_: unknown, fail: (error: Error) => void) => fail(new Error("no")),
    }),
  };
  const items = [
    { kind: "file", type: "", getAsFile: () => aFile("locked", 1), webkitGetAsEntry: () => unreadable },
    { kind: "file", type: "image/jpeg", getAsFile: () => aFile("beside.jpg"), webkitGetAsEntry: () => null },
  ];
  fireEvent.drop(group(), { dataTransfer: { items, files: [], types: ["Files"] } });
  expect(await screen.findByText("locked")).toBeTruthy();
  expect(await screen.findByText("beside.jpg")).toBeTruthy();
});

test("accepts a drop with files and without items", async () => {
  render(
    <Upload.Root endpoint={backend.endpoint}>
      <Upload.List />
    </Upload.Root>,
  );
  fireEvent.drop(group(), { dataTransfer: { items: [], files: [aFile("bare.jpg")], types: ["Files"] } });
  expect(await screen.findByText("bare.jpg")).toBeTruthy();
});

test("restores the focus before the browser paints, in every version of React", async () => {
  const focused: (Element | null)[] = [];
  function Page() {
    const upload = useUpload({ endpoint: backend.endpoint, autoStart: false });
    // Runs after the layout effects of the parts, and before the browser paints.
    useLayoutEffect(() => void focused.push(document.activeElement));
    return (
      <Upload.Root upload={upload}>
        <Upload.Trigger />
        <Upload.List />
      </Upload.Root>
    );
  }
  render(<Page />);
  choose(aFile("a.jpg"), aFile("b.jpg"));
  const cancel = await screen.findByRole("button", { name: "Cancel a.jpg" });
  cancel.focus();
  focused.length = 0;
  fireEvent.click(cancel);
  expect(focused[0]).toBe(rowsOf("cancelled")[0]);
});

test("passes every prop that is not a setting to the element", () => {
  const [onEnded, onFailed, onUploaded, onSettled] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  const settings = { onFailed, onUploaded, onSettled, input: {}, route: "a", duplicates: "skip" } as const;
  const consoleError = vi.spyOn(console, "error");
  render(
    <Upload.Root endpoint={backend.endpoint} {...settings} translate="no" onEnded={onEnded}>
      <audio aria-label="Sound">
        <track kind="captions" />
      </audio>
    </Upload.Root>,
  );
  fireEvent.ended(screen.getByLabelText("Sound"));
  expect(onEnded).toHaveBeenCalledOnce();
  expect(group().getAttributeNames()).toContain("translate");
  expect(group().getAttributeNames()).not.toContain("input");
  expect(consoleError).not.toHaveBeenCalled();
});

test("calls the page's own handlers first, and takes no files if these stop the event", async () => {
  const onKeyDown = vi.fn();
  const onDrop = vi.fn((event: DragEvent) => {
    if (event.target instanceof HTMLButtonElement) event.stopPropagation();
  });
  render(
    <Upload.Root endpoint={backend.endpoint} onDrop={onDrop} onKeyDown={onKeyDown}>
      <Upload.Trigger />
      <Upload.List />
    </Upload.Root>,
  );
  const drop = (target: Element, name: string) =>
    fireEvent.drop(target, { dataTransfer: { items: [aDropped(name)], types: ["Files"] } });
  drop(screen.getByRole("button"), "stopped.jpg");
  drop(group(), "taken.jpg");
  fireEvent.keyDown(group(), { key: "a" });
  await waitForRows("done");
  expect(screen.queryByText("stopped.jpg")).toBeNull();
  expect([onDrop.mock.calls.length, onKeyDown.mock.calls.length]).toEqual([2, 1]);
});

test("opens the picker for files, for a folder, and for the camera", () => {
  render(
    <Upload.Root endpoint={backend.endpoint}>
      <Upload.Trigger />
      <Upload.Trigger source="folder" />
      <Upload.Trigger source="environment" />
    </Upload.Root>,
  );
  const opened: unknown[] = [];
  for (const picker of group().querySelectorAll<HTMLInputElement>("input[type=file]")) {
    expect(picker.getAttribute("aria-hidden")).toBe("true");
    expect(picker.tabIndex).toBe(-1);
    vi.spyOn(picker, "click").mockImplementation(() => {
      opened.push([picker.hasAttribute("webkitdirectory"), picker.getAttribute("capture")]);
    });
  }
  for (const name of ["Choose folder", "Use camera", "Choose files"])
    fireEvent.click(screen.getByRole("button", { name }));
  expect(opened).toEqual([
    [true, null],
    [false, "environment"],
    [false, null],
  ]);
});

test("adds the files of a folder picker", async () => {
  render(
    <Upload.Root endpoint={backend.endpoint}>
      <Upload.Trigger source="folder" />
      <Upload.List />
    </Upload.Root>,
  );
  const picker = group().querySelector<HTMLInputElement>("input[webkitdirectory]")!;
  fireEvent.change(picker, { target: { files: [aFile("in-folder.jpg"), aFile(".DS_Store")] } });
  expect(await screen.findByText("in-folder.jpg")).toBeTruthy();
  await waitForRows("done");
});

test("accepts pastes inside, and on the page with <Upload.Page paste>, but not into a text field or an editor", async () => {
  render(
    <>
      <textarea aria-label="Text" />
      <div contentEditable suppressContentEditableWarning>
        <p>A paragraph</p>
      </div>
      <div data-testid="host" />
      <Upload.Root endpoint={backend.endpoint}>
        <Upload.Page paste />
        <Upload.List />
      </Upload.Root>
    </>,
  );
  const paste = (target: Element, name: string) => {
    const file = aFile(name);
    const clipboardData = {
      items: [{ kind: "file", getAsFile: () => file }],
      files: [file],
      types: ["Files"],
    };
    fireEvent.paste(target, { clipboardData });
  };
  paste(screen.getByRole("textbox"), "into-text.png");
  paste(screen.getByText("A paragraph"), "into-editor.png");
  const shadow = screen.getByTestId("host").attachShadow({ mode: "open" });
  shadow.innerHTML = "<input>";
  paste(shadow.querySelector("input")!, "into-shadow.png");
  paste(document.body, "page.png");
  paste(group(), "inside.png");
  await waitForRows("done", 2);
  expect(screen.queryByText(/^into-/)).toBeNull();
});

test.each([
  [true, 0],
  ["always", 1],
] as const)(
  "a clipboard with text is left to the page with <Upload.Page paste={%s}>: %i",
  async (paste, count) => {
    render(
      <Upload.Root endpoint={backend.endpoint}>
        <Upload.Page paste={paste} />
        <Upload.List />
      </Upload.Root>,
    );
    const clipboard = (name: string, text: string) => {
      const file = aFile(name);
      return {
        clipboardData: {
          items: [{ kind: "file", getAsFile: () => file }],
          files: [file],
          types: ["text/plain", "Files"],
          getData: (type: string) => (type === "text/plain" ? text : ""),
        },
      };
    };
    fireEvent.paste(document.body, clipboard("word.png", "Dear Ann"));
    fireEvent.paste(document.body, clipboard("finder.png", "finder.png"));
    fireEvent.paste(group(), clipboard("inside.png", "Dear Ann"));
    await waitForRows("done", 2 + count);
    expect(screen.queryAllByText("word.png")).toHaveLength(count);
  },
);

test("accepts drops anywhere on the page with <Upload.Page drop>", async () => {
  render(
    <Upload.Root endpoint={backend.endpoint}>
      <Upload.Page drop />
      <Upload.Title />
      <Upload.List />
    </Upload.Root>,
  );
  const dataTransfer = { items: [aDropped("elsewhere.jpg")], types: ["Files"] };
  fireEvent.dragEnter(document.body, { dataTransfer });
  await screen.findByText("Drop anywhere to upload");
  expect(group().dataset["state"]).toBe("drag-over");
  fireEvent.drop(document.body, { dataTransfer });
  await screen.findByText("elsewhere.jpg");
  await waitForRows("done");
});

test("asks before the page is closed only while files are uploaded", async () => {
  backend.nextAnswers.put.push("hang");
  render(
    <Upload.Root endpoint={backend.endpoint}>
      <Upload.List />
    </Upload.Root>,
  );
  const leave = () => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(leave()).toBe(false);
  choose(aFile("a.jpg"));
  await waitForRows("uploading");
  expect(leave()).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Cancel a.jpg" }));
  expect(leave()).toBe(false);
});

test("renders on a server", () => {
  const page = (
    <Upload.Root endpoint="/api/upload">
      <Upload.Trigger />
      <Upload.List />
      <Upload.Progress />
      <Upload.Status />
      <Upload.Input name="files" required />
    </Upload.Root>
  );
  expect(renderToString(page)).toContain("Choose files");
});
