// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { StrictMode, useLayoutEffect } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile } from "../../test/runtime.js";
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

const group = () => screen.getByRole("group");
const input = () => group().querySelector<HTMLInputElement>("input[type=file]")!;
const choose = (...files: File[]) => fireEvent.change(input(), { target: { files } });
const rowsOf = (status: string) =>
  Array.from(group().querySelectorAll<HTMLElement>(`li[data-status=${status}]`));
const waitForRows = (status: string, count = 1) => waitFor(() => expect(rowsOf(status)).toHaveLength(count));

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

test("shows the list of a useUpload that the page calls itself", async () => {
  let own: ReturnType<typeof useUpload> | undefined;
  function Page() {
    const upload = useUpload({ endpoint: backend.endpoint });
    own = upload;
    return (
      <Upload.Root upload={upload}>
        <Upload.List>{(item) => <Upload.Item>{`${item.name} ${item.status}`}</Upload.Item>}</Upload.List>
      </Upload.Root>
    );
  }
  render(<Page />);
  act(() => own?.add([aFile("mine.jpg")]));
  expect(await screen.findByText("mine.jpg done")).toBeTruthy();
});

test("throws with the name of the missing parent when a part is rendered alone", () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(() => render(<Upload.Trigger />)).toThrow("Render this part inside Upload.Root");
});

test("renders only the changed rows again", async () => {
  backend.nextAnswers.put.push("hang");
  const renderRow = vi.fn((item: { name: string }) => <Upload.Item>{item.name}</Upload.Item>);
  render(
    <Upload.Root endpoint={backend.endpoint} concurrency={1}>
      <Upload.List>{renderRow}</Upload.List>
    </Upload.Root>,
  );
  choose(aFile("moving.jpg", 300_000), aFile("waiting.jpg"));
  await waitForRows("uploading");
  expect(renderRow.mock.calls.filter(([item]) => item.name === "waiting.jpg")).toHaveLength(1);
});

test('renders the first hundred of 5,000 files, gives their number, and "Show more" moves the focus to the next row', async () => {
  render(
    <Upload.Root endpoint={backend.endpoint} autoStart={false}>
      <Upload.List />
    </Upload.Root>,
  );
  choose(...Array.from({ length: 5_000 }, (_, index) => aFile(`${index}.jpg`, 1)));
  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(100));
  expect(screen.getAllByRole("listitem")[99]?.getAttribute("aria-posinset")).toBe("100");
  expect(screen.getAllByRole("listitem")[99]?.getAttribute("aria-setsize")).toBe("5000");
  const more = screen.getByRole("button", { name: "Show 4,900 more" });
  more.focus();
  fireEvent.click(more);
  expect(screen.getAllByRole("listitem")).toHaveLength(200);
  expect(document.activeElement).toBe(screen.getAllByRole("listitem")[100]);
});

test("renders a failed file beyond the first hundred rows", async () => {
  render(
    <Upload.Root endpoint={backend.endpoint} autoStart={false} accept=".jpg">
      <Upload.List />
    </Upload.Root>,
  );
  choose(...Array.from({ length: 150 }, (_, index) => aFile(`${index}.jpg`, 1)), aFile("no.txt", 1));
  await screen.findByText("no.txt");
  expect(rowsOf("failed")[0]?.getAttribute("aria-posinset")).toBe("151");
});

test("gives files of the same name unique names, and keeps a name when another file is removed", async () => {
  render(
    <Upload.Root endpoint={backend.endpoint}>
      <Upload.List />
    </Upload.Root>,
  );
  choose(aFile("a.jpg"), aFile("a.jpg"), aFile("a.jpg (2)"));
  await waitForRows("done", 3);
  const names = () => screen.getAllByRole("button").map((button) => button.textContent);
  expect(names()).toEqual(["Remove a.jpg", "Remove a.jpg (2)", "Remove a.jpg (2) (2)"]);
  fireEvent.click(screen.getByRole("button", { name: "Remove a.jpg" }));
  expect(names()).toEqual(["Remove a.jpg (2)", "Remove a.jpg (2) (2)"]);
});

test("names a file of a folder by its path", async () => {
  render(
    <Upload.Root endpoint={backend.endpoint}>
      <Upload.List />
    </Upload.Root>,
  );
  const file = aFile("a.jpg");
  Object.defineProperty(file, "webkitRelativePath", { value: "trip/a.jpg" });
  choose(file);
  expect(await screen.findByRole("button", { name: "Remove trip/a.jpg" })).toBeTruthy();
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

test("accepts pastes inside, and on the page with <Upload.Page paste>, but not into a text field", async () => {
  render(
    <>
      <textarea aria-label="Text" />
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
  paste(document.body, "page.png");
  paste(group(), "inside.png");
  await waitForRows("done", 2);
  expect(screen.queryByText("into-text.png")).toBeNull();
});

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

describe("speed and time left", () => {
  const file = aFile("a.jpg", 2 * 1024 ** 2);
  const counts = { files: 1, active: 1, done: 0, failed: 0, cancelled: 0, totalBytes: file.size };
  const nothing = () => {};
  const commands = {
    add: nothing,
    start: nothing,
    cancel: nothing,
    cancelAll: nothing,
    retry: nothing,
    retryAll: nothing,
    remove: nothing,
    removeAll: nothing,
    clear: nothing,
    reset: nothing,
  };
  function draw(sentBytes: number, { isOffline = false, remainingMs = 2_100 } = {}) {
    const pace = { bytesPerSecond: 512 * 1024, remainingMs };
    const item = {
      id: "1",
      file,
      name: file.name,
      path: "",
      size: file.size,
      sentBytes,
      progress: 0.5,
      ...pace,
    };
    const upload = {
      items: [{ ...item, status: "uploading" as const }],
      totals: { ...counts, sentBytes, progress: 0.5, ...pace },
      isOffline,
      limits: {},
      ...commands,
    };
    return (
      <Upload.Root upload={upload}>
        <Upload.List>{() => <Upload.Status data-testid="file" />}</Upload.List>
        <Upload.Status data-testid="all" />
      </Upload.Root>
    );
  }
  const shown = () => ["file", "all"].map((id) => screen.getByTestId(id).textContent);
  const MB = 1024 ** 2;
  const bothWith = (speed: string) => [`1 MB of 2 MB${speed}`, `Uploading 1 file · 50%${speed}`];

  test("are hidden while there is no connection, and the list says that it is offline", () => {
    const { rerender } = render(draw(MB));
    expect(shown()).toEqual(bothWith(" · 512 kB/s · 3 sec left"));
    rerender(draw(MB, { isOffline: true }));
    expect(shown()).toEqual(["1 MB of 2 MB", "You are offline. Uploads continue when you are online again."]);
  });

  test("are hidden once all bytes are sent and the answer is awaited", () => {
    render(draw(file.size, { remainingMs: 0 }));
    expect(shown()).toEqual(["2 MB of 2 MB", "Uploading 1 file · 50%"]);
  });
});

test("shows previews only of images, and revokes their URLs with the row", async () => {
  backend.nextAnswers.request.push("hang", "hang");
  const [made, revoked] = [vi.spyOn(URL, "createObjectURL"), vi.spyOn(URL, "revokeObjectURL")];
  render(
    <Upload.Root endpoint={backend.endpoint}>
      <Upload.List>
        {() => (
          <Upload.Item>
            <Upload.Preview fallback="no picture" />
            <Upload.Cancel />
            <Upload.Remove />
          </Upload.Item>
        )}
      </Upload.List>
    </Upload.Root>,
  );
  choose(aFile("a.jpg"), aFile("b.svg", 10, "image/svg+xml"));
  await waitForRows("requesting", 2);
  const picture = group().querySelector("img")!;
  expect(picture.alt).toBe("");
  expect(picture.loading).toBe("lazy");
  expect(screen.getByText("no picture")).toBeTruthy();
  expect(made).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole("button", { name: "Cancel a.jpg" }));
  fireEvent.click(screen.getByRole("button", { name: "Remove a.jpg" }));
  expect(revoked.mock.calls).toEqual([[made.mock.results[0]?.value]]);
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

const aDropped = (name: string) => ({ kind: "file", type: "image/jpeg", getAsFile: () => aFile(name) });
