// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "@stowage/client-fixtures/backend";
import { aFile } from "@stowage/client-fixtures/runtime";
import { choose, group, rowsOf, waitForRows } from "../../test/rendered-widget.js";
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

test("shows the names of the other list when the page switches to it", () => {
  let add: ((files: File[]) => void) | undefined;
  function Page({ folder }: { folder: string }) {
    const upload = useUpload({ endpoint: backend.endpoint, autoStart: false, listKey: folder });
    add = upload.add;
    return (
      <Upload.Root upload={upload}>
        <Upload.List>
          {() => (
            <Upload.Item>
              <Upload.Cancel />
            </Upload.Item>
          )}
        </Upload.List>
      </Upload.Root>
    );
  }
  const { rerender } = render(<Page folder="invoices" />);
  act(() => add?.([aFile("invoice.pdf")]));
  rerender(<Page folder="photos" />);
  act(() => add?.([aFile("photo.jpg")]));
  expect(screen.getByRole("button", { name: "Cancel photo.jpg" })).toBeTruthy();
  rerender(<Page folder="invoices" />);
  expect(screen.getByRole("button", { name: "Cancel invoice.pdf" })).toBeTruthy();
});

test("a row shows the folder of its file, and tells files of one name apart by number and date", async () => {
  const inFolder = Object.defineProperty(aFile("a.jpg"), "webkitRelativePath", {
    value: "photos/2026/a.jpg",
  });
  const dated = (day: number) =>
    new File(["x"], "scan.pdf", { lastModified: new Date(2026, 4, day, 12).getTime() });
  render(<UploadDropzone endpoint={backend.endpoint} autoStart={false} />);
  choose(inFolder, dated(3), dated(4));
  await waitForRows("queued", 3);
  const texts = rowsOf("queued").map((row) => row.querySelector(".stowage-item-body")?.textContent);
  expect(texts[0]).toMatch(/^a\.jpg.*photos\/2026/);
  expect(texts[1]).toMatch(/^scan\.pdf(?! \(2\))/);
  expect(texts[2]).toMatch(/^scan\.pdf \(2\).*May 4, 2026/);
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

test("renders the first hundred of 5,000 files where the list has no height, and gives their number", async () => {
  render(
    <Upload.Root endpoint={backend.endpoint} autoStart={false}>
      <Upload.List />
    </Upload.Root>,
  );
  choose(...Array.from({ length: 5_000 }, (_, index) => aFile(`${index}.jpg`, 1)));
  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(100));
  expect(screen.getAllByRole("listitem")[99]?.getAttribute("aria-posinset")).toBe("100");
  expect(screen.getAllByRole("listitem")[99]?.getAttribute("aria-setsize")).toBe("5000");
});

test("shows a failed file before files that wait, and moves no row while the focus is in the list", async () => {
  render(
    <Upload.Root endpoint={backend.endpoint} autoStart={false} accept=".jpg">
      <Upload.Trigger />
      <Upload.List />
    </Upload.Root>,
  );
  choose(...Array.from({ length: 8 }, (_, index) => aFile(`${index}.jpg`, 1)), aFile("no.txt", 1));
  await screen.findByText("no.txt");
  const names = () => screen.getAllByRole("listitem").map((row) => row.querySelector("bdi")?.textContent);
  expect(names().slice(0, 2)).toEqual(["no.txt", "0.jpg"]);
  const cancel = screen.getByRole("button", { name: "Cancel 3.jpg" });
  cancel.focus();
  fireEvent.click(cancel);
  await waitForRows("cancelled");
  expect(names().indexOf("3.jpg")).toBe(4);
  act(() => screen.getByRole("button", { name: "Choose files" }).focus());
  expect(names().at(-1)).toBe("3.jpg");
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

describe("speed and time left", () => {
  const file = aFile("a.jpg", 2_000_000);
  const counts = { files: 1, active: 1, paused: 0, done: 0, failed: 0, cancelled: 0, totalBytes: file.size };
  const nothing = () => {};
  const commands = {
    add: nothing,
    start: nothing,
    cancel: nothing,
    cancelAll: nothing,
    retry: nothing,
    discardUnfinished: nothing,
    retryAll: nothing,
    remove: nothing,
    removeAll: nothing,
    clear: nothing,
    pause: nothing,
    pauseAll: nothing,
    resume: nothing,
    resumeAll: nothing,
    continueUpload: nothing,
    discardResumable: nothing,
    reset: nothing,
  };
  function draw(sentBytes: number, { isOffline = false, remainingMs = 2_100 } = {}) {
    const pace = { bytesPerSecond: 512_000, remainingMs };
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
      connection: isOffline ? ("offline" as const) : ("online" as const),
      limits: {},
      resumable: [],
      lost: [],
      leftOut: [],
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
  const MB = 1_000_000;
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
