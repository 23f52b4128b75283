// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "@stowage/client-fixtures/backend";
import { aFile } from "@stowage/client-fixtures/runtime";
import { aDropped, choose, waitForRows } from "../test/rendered-widget.js";
import { UploadDropzone, type UploadDropzoneProps } from "./upload-dropzone.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => {
  cleanup();
  backend.close();
});

function renderDropzone(props: Partial<UploadDropzoneProps> = {}) {
  return render(
    <StrictMode>
      <UploadDropzone endpoint={backend.endpoint} {...props} />
    </StrictMode>,
  );
}
const input = () => document.querySelector<HTMLInputElement>("input[type=file]")!;
const row = async (name: string, status: string) => {
  const found = (await screen.findByText(name)).closest("li")!;
  await waitFor(() => expect(found.dataset["status"]).toBe(status));
  return found;
};
const button = (name: string) => screen.findByRole("button", { name });

test("is a named group with one button, and an input that only the button opens", () => {
  renderDropzone({ label: "Photos", maxSize: 10_000_000 });
  const group = screen.getByRole("group", { name: "Photos" });
  expect(group.hasAttribute("tabindex")).toBe(false);
  const trigger = within(group).getByRole("button", { name: "Choose files" });
  expect(screen.getAllByRole("button")).toEqual([trigger]);
  expect(document.getElementById(trigger.getAttribute("aria-describedby")!)?.textContent).toBe("Up to 10 MB");
  expect(input().tabIndex).toBe(-1);
  expect(input().getAttribute("aria-hidden")).toBe("true");
  expect(input().style.display).not.toBe("none");
  const opened = vi.spyOn(input(), "click");
  fireEvent.click(trigger);
  expect(opened).toHaveBeenCalledOnce();
});

test("uploads the chosen file and passes it to onUploaded", async () => {
  const onUploaded = vi.fn();
  renderDropzone({ onUploaded });
  choose(aFile("a.jpg", 2048));
  const item = await row("a.jpg", "done");
  expect(within(item).getByText("Uploaded")).toBeTruthy();
  expect(within(item).queryByRole("progressbar")).toBeNull();
  expect(onUploaded).toHaveBeenCalledOnce();
  expect(onUploaded.mock.calls[0]?.[0]).toMatchObject({ size: 2048 });
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
});

test("uploads dropped files and the files of dropped folders", async () => {
  renderDropzone();
  const folder = {
    isDirectory: true,
    createReader() {
      const portions = [[fileEntry("in-folder.jpg"), fileEntry(".DS_Store")], []];
      return { readEntries: (take: (portion: unknown[]) => void) => take(portions.shift() ?? []) };
    },
  };
  const items = [
    { kind: "file", type: "image/jpeg", getAsFile: () => aFile("dropped.jpg"), webkitGetAsEntry: () => null },
    { kind: "file", type: "", getAsFile: () => aFile("folder", 0), webkitGetAsEntry: () => folder },
    { kind: "string", type: "text/plain", getAsFile: () => null },
  ];
  const dataTransfer = { items, files: [], types: ["Files"] };
  const group = screen.getByRole("group");
  fireEvent.dragEnter(group, { dataTransfer });
  await waitFor(() => expect(group.dataset["state"]).toBe("drag-over"));
  expect(screen.getByText("Drop to upload")).toBeTruthy();
  fireEvent.drop(group, { dataTransfer });
  await row("dropped.jpg", "done");
  await row("in-folder.jpg", "done");
  expect(screen.getAllByRole("listitem")).toHaveLength(2);
  expect(group.dataset["state"]).toBe("idle");
});

test("says during the drag that files of another type will not be accepted", async () => {
  renderDropzone({ accept: "image/*" });
  const group = screen.getByRole("group");
  fireEvent.dragEnter(group, {
    dataTransfer: { items: [{ kind: "file", type: "text/plain" }], types: ["Files"] },
  });
  await waitFor(() => expect(group.dataset["state"]).toBe("drag-reject"));
  expect(screen.getByText("These files are not accepted")).toBeTruthy();
});

test("accepts every file of two drops in quick succession", async () => {
  renderDropzone();
  const drop = (name: string) =>
    fireEvent.drop(screen.getByRole("group"), {
      dataTransfer: { items: [aDropped(name)], types: ["Files"] },
    });
  drop("first.jpg");
  drop("second.jpg");
  await row("first.jpg", "done");
  await row("second.jpg", "done");
  expect(backend.stored.size).toBe(2);
});

test("lists a refused file with the reason, and offers only to remove it", async () => {
  renderDropzone({ accept: "image/*", maxSize: 10 });
  choose(aFile("notes.txt", 1, "text/plain"), aFile("large.jpg", 11));
  const item = await row("notes.txt", "failed");
  expect(within(item).getByText("This type of file is not accepted. Choose images.")).toBeTruthy();
  await row("large.jpg", "failed");
  expect(screen.queryByRole("button", { name: /^Retry/ })).toBeNull();
  expect(backend.calls).toEqual([]);
});

test("names every action after its file, also for two files of the same name", async () => {
  backend.nextAnswers.request.push(...Array.from({ length: 2 }, () => ({ status: 403, body: {} })));
  renderDropzone();
  choose(aFile("a.jpg"), aFile("a.jpg"));
  await button("Retry a.jpg");
  await button("Retry a.jpg (2)");
  const names = screen.getAllByRole("button").map((action) => action.getAttribute("aria-label"));
  expect(names).toEqual([
    null,
    "Retry a.jpg",
    "Remove a.jpg",
    "Retry a.jpg (2)",
    "Remove a.jpg (2)",
    null,
    null,
  ]);
});

test.each([
  [6, "offers the button, because the row of the failed file may be out of view", 1],
  [5, "leaves it to the button of the row", 0],
])("for one failed file in a list of %i files, %s", async (count, _, buttons) => {
  backend.nextAnswers.request.push({ status: 403, body: {} });
  render(<UploadDropzone endpoint={backend.endpoint} concurrency={1} />);
  choose(...Array.from({ length: count }, (_, index) => aFile(`${index}.jpg`)));
  await waitForRows("done", count - 1);
  await waitForRows("failed");
  expect(screen.queryAllByRole("button", { name: "Retry failed" })).toHaveLength(buttons);
});

test("shows a named progress bar while a file is uploaded", async () => {
  backend.nextAnswers.put.push("hang");
  renderDropzone();
  choose(aFile("a.jpg", 300_000));
  const bar = await screen.findByRole("progressbar", { name: "a.jpg" });
  await row("a.jpg", "uploading");
  expect(bar.getAttribute("aria-valuetext")).toMatch(/^\d+%, .* of 300 kB$/);
  expect(screen.getByRole("group").dataset["state"]).toBe("uploading");
});

test("retries a failed file when its button is pressed", async () => {
  backend.nextAnswers.request.push({
    status: 403,
    body: { detail: "Storage quota exceeded for this tenant", code: "quota_exceeded" },
  });
  renderDropzone();
  choose(aFile("a.jpg"));
  await row("a.jpg", "failed");
  expect(
    screen.getByText(
      "There is not enough storage left for this file. Free some space, or contact the support of this site.",
    ),
  ).toBeTruthy();
  fireEvent.click(await button("Retry a.jpg"));
  await row("a.jpg", "done");
});

test("moves the focus when its button disappears: to the file, the next file, the trigger", async () => {
  backend.nextAnswers.request.push("hang");
  renderDropzone();
  choose(aFile("a.jpg"), aFile("b.jpg"));
  await row("b.jpg", "done");
  const cancel = await button("Cancel a.jpg");
  cancel.focus();
  fireEvent.click(cancel);
  expect(document.activeElement).toBe(await row("a.jpg", "cancelled"));

  const remove = await button("Remove a.jpg");
  remove.focus();
  fireEvent.click(remove);
  expect(document.activeElement).toBe(await button("Remove b.jpg"));

  fireEvent.click(await button("Remove b.jpg"));
  expect(document.activeElement).toBe(await button("Choose files"));
});

test("announces changes in one status region that is always present", async () => {
  renderDropzone();
  const status = screen.getByRole("status");
  expect(status.textContent).toBe("");
  choose(aFile("a.jpg"), aFile("b.jpg"));
  await waitFor(() => expect(status.textContent).toContain("2 files uploaded."));
  expect(screen.getAllByRole("status")).toEqual([status]);
});

test("accepts no files while it is disabled", async () => {
  renderDropzone({ disabled: true });
  expect(screen.getByRole("button", { name: "Choose files" })).toHaveProperty("disabled", true);
  const dataTransfer = { items: [aDropped("a.jpg")], types: ["Files"] };
  fireEvent.drop(screen.getByRole("group"), { dataTransfer });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.queryByRole("listitem")).toBeNull();
});

test("uses the page's own messages", async () => {
  renderDropzone({
    messages: { choose: "Dateien wählen", errors: { file_too_large: "Zu groß." } },
    maxSize: 1,
    locale: "de",
  });
  choose(aFile("a.jpg", 2));
  await row("a.jpg", "failed");
  expect(screen.getByText("Zu groß.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Dateien wählen" })).toBeTruthy();
});

test("renders on a server", () => {
  expect(renderToString(<UploadDropzone endpoint="/api/upload" />)).toContain("Choose files");
});

function fileEntry(name: string) {
  return { name, isDirectory: false, file: (take: (file: File) => void) => take(aFile(name)) };
}
