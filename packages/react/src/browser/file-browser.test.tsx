// @vitest-environment happy-dom
import { createFilesStore } from "@stowage/client";
import { de } from "@stowage/client/locales/de";
import { createFakeTransport, type FakeTransport, type FakeTransportOptions } from "@stowage/client/testing";
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";
import { ticketFor } from "@stowage/client-fixtures/ticket";
import { FileBrowser, type FileBrowserProps, useFolder } from "./index.js";

afterEach(cleanup);

const signal = new AbortController().signal;

/** A backend with these files, such as `reports/a.txt`. */
async function aBackend(addresses: string[], options: FakeTransportOptions = {}): Promise<FakeTransport> {
  const transport = createFakeTransport(options);
  for (const address of addresses) {
    const [name = "", ...above] = address.split("/").toReversed();
    const file = aFile(name, 10);
    const { file_path, ...ticket } = await ticketFor(transport, { filename: name, size: file.size });
    await transport.put({ ...ticket, file_path }, file, { signal, onProgress: () => {} });
    await transport.complete({ file_path }, signal);
    await transport.update({ file_path, folder: above.toReversed().join("/") }, signal);
  }
  return transport;
}

const show = (transport: FakeTransport, props: Partial<FileBrowserProps> = {}) =>
  render(<FileBrowser transport={transport} {...props} />, { wrapper: StrictMode });
const grid = () => screen.getByRole("grid");
const rows = () => screen.queryAllByRole("row").map((row) => row.querySelector("bdi")?.textContent);
const shows = (...names: string[]) => waitFor(() => expect(rows()).toEqual(names));
const entry = (name: string) => screen.getByText(name).closest<HTMLElement>("[data-entry]")!;
const status = () => screen.getByRole("status").textContent;
const says = (text: string) => waitFor(() => expect(status()).toBe(text));
const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });

test("shows folders first, opens one, and goes up to it again", async () => {
  const onFolderChange = vi.fn();
  show(await aBackend(["a.txt", "reports/b.txt"]), { onFolderChange });
  await shows("reports", "a.txt");
  expect(grid().getAttribute("aria-rowcount")).toBe("2");
  expect(screen.getAllByRole("row")[0]?.textContent).toContain("1 file");
  fireEvent.click(entry("reports"));
  await shows("b.txt");
  await waitFor(() => expect(document.activeElement).toBe(entry("b.txt")));
  expect(screen.getByRole("button", { name: "reports" }).getAttribute("aria-current")).toBe("page");
  press("Backspace");
  await shows("reports", "a.txt");
  await waitFor(() => expect(document.activeElement).toBe(entry("reports")));
  expect(onFolderChange.mock.calls).toEqual([["reports"], [""]]);
});

test("keeps one entry in the tab order, and moves it with the arrows", async () => {
  show(await aBackend(["c", "b", "a"]));
  await shows("a", "b", "c");
  const inTabOrder = () => ["a", "b", "c"].filter((name) => entry(name).tabIndex === 0);
  expect(inTabOrder()).toEqual(["a"]);
  act(() => entry("a").focus());
  for (const [key, name] of [
    ["ArrowDown", "b"],
    ["End", "c"],
    ["ArrowDown", "c"],
    ["ArrowUp", "b"],
    ["PageUp", "a"],
    ["PageDown", "c"],
    ["Home", "a"],
  ] as const) {
    press(key);
    expect(document.activeElement).toBe(entry(name));
    expect(inTabOrder()).toEqual([name]);
  }
});

test("a page decides with `folder` which folder is shown", async () => {
  const transport = await aBackend(["a.txt", "reports/b.txt"]);
  const onFolderChange = vi.fn();
  const { rerender } = show(transport, { folder: "", onFolderChange });
  await shows("reports", "a.txt");
  fireEvent.click(entry("reports"));
  expect(onFolderChange).toHaveBeenCalledWith("reports");
  await shows("reports", "a.txt");
  fireEvent.click(screen.getByRole("button", { name: "Rename a.txt" }));
  rerender(<FileBrowser transport={transport} folder="reports" />);
  await shows("b.txt");
  rerender(<FileBrowser transport={transport} folder="" />);
  await shows("reports", "a.txt");
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(entry("reports").tabIndex).toBe(0);
});

test("keys of the list do not act in a field, and an empty name is not sent", async () => {
  const transport = await aBackend(["a.txt", "b.txt"]);
  show(transport);
  await shows("b.txt", "a.txt");
  act(() => entry("a.txt").focus());
  press("F2");
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "New name of a.txt" });
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 1]);
  for (const key of ["Delete", "Backspace", "ArrowDown"]) fireEvent.keyDown(field, { key });
  fireEvent.change(field, { target: { value: "  " } });
  fireEvent.submit(field.form!);
  expect(transport.calls.filter(({ step }) => step === "delete" || step === "update")).toHaveLength(2);
  fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(document.activeElement).toBe(entry("a.txt")));
});

test("what a person types stays when a row above goes", async () => {
  const transport = await aBackend(["b.txt", "a.txt"]);
  show(transport);
  await shows("a.txt", "b.txt");
  fireEvent.click(screen.getByRole("button", { name: "Rename b.txt" }));
  const field = screen.getByRole<HTMLInputElement>("textbox");
  fireEvent.change(field, { target: { value: "c.t" } });
  const other = createFilesStore({ transport });
  const stop = other.start();
  await act(() => other.remove({ file_path: transport.uploads[1]!.path }));
  stop();
  await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(1));
  expect(screen.getByRole("textbox")).toBe(field);
  expect([field.value, document.activeElement]).toEqual(["c.t", field]);
});

test("a key that is held down deletes one file, and pressing it twice keeps Undo, by key too", async () => {
  const transport = await aBackend(["c.txt", "b.txt", "a.txt"]);
  show(transport);
  await shows("a.txt", "b.txt", "c.txt");
  act(() => entry("a.txt").focus());
  const deletion = transport.holdNext("delete");
  press("Delete");
  await deletion.arrived;
  press("Delete");
  fireEvent.keyDown(document.activeElement!, { key: "Delete", repeat: true });
  deletion.release();
  await shows("b.txt", "c.txt");
  await waitFor(() => expect(document.activeElement).toBe(entry("b.txt")));
  fireEvent.keyDown(document.activeElement!, { key: "Delete", repeat: true });
  expect(transport.calls.filter(({ step }) => step === "delete")).toHaveLength(1);
  expect(screen.getByRole("button", { name: "Undo" })).toBeTruthy();
  fireEvent.keyDown(document.activeElement!, { key: "z", ctrlKey: true });
  await says("a.txt was restored.");
  await shows("a.txt", "b.txt", "c.txt");
  await waitFor(() => expect(document.activeElement).toBe(entry("a.txt")));
});

test("says once that a file was deleted, and keeps Undo if the file cannot be restored", async () => {
  const transport = await aBackend(["c.txt", "b.txt", "a.txt"]);
  show(transport);
  await shows("a.txt", "b.txt", "c.txt");
  fireEvent.click(screen.getByRole("button", { name: "Delete a.txt" }));
  await says("a.txt was deleted.");
  transport.failNext("restore", "restore_refused");
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText(/This file cannot be changed here/);
  expect(status()).toBe("a.txt was deleted.");
  expect(screen.getByRole("button", { name: "Undo" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Rename b.txt" }));
  const field = screen.getByRole<HTMLInputElement>("textbox");
  fireEvent.change(field, { target: { value: "d.txt" } });
  fireEvent.submit(field.form!);
  await says("Renamed to d.txt.");
  fireEvent.click(screen.getByRole("button", { name: "Rename c.txt" }));
  expect(status()).toBe("");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("has every text in the language of its labels", async () => {
  const transport = await aBackend(["ordner/b.txt", "a.txt"]);
  const { container } = show(transport, { labels: de.browser, errorMessages: de.errors, locale: "de" });
  await shows("ordner", "a.txt");
  expect(screen.getByRole("button", { name: "a.txt verschieben" }).textContent).toBe("Verschieben");
  expect(screen.getByRole("group", { name: "Ansicht" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "ordner löschen" }));
  expect(container.textContent).toContain("ordner mit 1 Datei löschen?");
  expect(container.textContent).not.toMatch(/\b(file|files|list|grid|rename|move|delete|show)\b/i);
});

test("a name that is refused stays in the field", async () => {
  const transport = await aBackend(["a.txt"]);
  show(transport);
  await shows("a.txt");
  transport.failNext("update", "update_refused");
  fireEvent.click(screen.getByRole("button", { name: "Rename a.txt" }));
  const field = screen.getByRole<HTMLInputElement>("textbox");
  fireEvent.change(field, { target: { value: "b.txt" } });
  fireEvent.submit(field.form!);
  await screen.findByText(/This file cannot be changed here/);
  expect(screen.getByRole<HTMLInputElement>("textbox").value).toBe("b.txt");
  await waitFor(() => expect(field.readOnly).toBe(false));
  fireEvent.submit(field.form!);
  await shows("b.txt");
  await says("Renamed to b.txt.");
});

test("moves a file to the root, which is an empty field", async () => {
  show(await aBackend(["reports/a.txt", "b.txt"]), { folder: "reports" });
  await shows("a.txt");
  fireEvent.click(screen.getByRole("button", { name: "Move a.txt" }));
  const field = screen.getByRole<HTMLInputElement>("combobox");
  expect(field.value).toBe("reports");
  fireEvent.change(field, { target: { value: "" } });
  fireEvent.submit(field.form!);
  await shows();
  await says("a.txt was moved to All files.");
});

test("offers only the actions that the page names, by key too", async () => {
  const transport = await aBackend(["a.txt"]);
  show(transport, { actions: ["rename"] });
  await shows("a.txt");
  expect(screen.queryByRole("button", { name: "Delete a.txt" })).toBeNull();
  act(() => entry("a.txt").focus());
  press("Delete");
  expect(transport.calls.some(({ step }) => step === "delete")).toBe(false);
});

test("calls onOpen for a file, and links it without", async () => {
  const transport = await aBackend(["a.txt"]);
  const onOpen = vi.fn();
  const { unmount } = show(transport, { onOpen });
  await shows("a.txt");
  fireEvent.click(entry("a.txt"));
  expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ filename: "a.txt" }));
  unmount();
  show(transport);
  await shows("a.txt");
  expect(entry("a.txt").getAttribute("href")).toContain("download?file_path=");
});

test("renames and moves a folder", async () => {
  const transport = await aBackend(["new/a.txt", "old/b.txt"]);
  show(transport);
  await shows("new", "old");
  act(() => entry("old").focus());
  press("F2");
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "New name of old" });
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 3]);
  fireEvent.change(field, { target: { value: "older" } });
  const job = transport.holdNext("job");
  fireEvent.submit(field.form!);
  await job.arrived;
  await says("Moving old…");
  expect(screen.getByRole("progressbar", { name: "Moving old…" })).toBeTruthy();
  const moveNew = screen.getByRole("button", { name: "Move new" });
  expect(moveNew.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(moveNew);
  expect(screen.queryByRole("combobox")).toBeNull();
  job.release();
  await says("Renamed to older.");
  expect(screen.queryByRole("progressbar")).toBeNull();
  await shows("new", "older");
  await waitFor(() => expect(document.activeElement?.closest("[role=row]")).not.toBeNull());
  fireEvent.click(screen.getByRole("button", { name: "Move new" }));
  const parent = screen.getByRole<HTMLInputElement>("combobox", { name: "Folder of new" });
  expect([...parent.list!.options].map(({ value }) => value)).toEqual(["older"]);
  fireEvent.change(parent, { target: { value: "older" } });
  fireEvent.submit(parent.form!);
  await says("new was moved to older.");
  await shows("older");
  expect(transport.uploads.map(({ folder }) => folder)).toEqual(["older/new", "older"]);
});

test("deletes a folder after a question, and says what stayed", async () => {
  const transport = await aBackend(["old/a.txt", "old/b.txt", "c.txt"]);
  show(transport);
  await shows("old", "c.txt");
  act(() => entry("old").focus());
  press("Delete");
  const cancel = screen.getByRole("button", { name: "Cancel" });
  expect(document.activeElement).toBe(cancel);
  expect(cancel.getAttribute("aria-describedby")).toBe(screen.getByText(/^Delete old with 2 files\?/).id);
  fireEvent.keyDown(cancel, { key: "Escape" });
  await waitFor(() => expect(document.activeElement).toBe(entry("old")));
  expect(transport.uploads).toHaveLength(3);
  const { job } = transport;
  Object.assign(transport, {
    job: async (...args: Parameters<typeof job>) => ({ ...(await job(...args)), kept: 1 }),
  });
  fireEvent.click(screen.getByRole("button", { name: "Delete old" }));
  fireEvent.click(screen.getByRole("button", { name: "Delete" }));
  await says("old was deleted. Not changed: 1 file.");
  await shows("c.txt");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(entry("c.txt")));
});

test("says why a folder was not moved, and offers only the actions for folders that the page names", async () => {
  const transport = await aBackend(["old/a.txt", "b.txt"]);
  show(transport, { folderActions: ["rename"] });
  await shows("old", "b.txt");
  expect(screen.queryByRole("button", { name: "Delete old" })).toBeNull();
  expect(screen.getByRole("button", { name: "Delete b.txt" })).toBeTruthy();
  transport.failNext("moveFolder", "folder_busy");
  fireEvent.click(screen.getByRole("button", { name: "Rename old" }));
  const field = screen.getByRole<HTMLInputElement>("textbox");
  fireEvent.change(field, { target: { value: "new" } });
  fireEvent.submit(field.form!);
  await screen.findByText(/This folder is already being moved or deleted/);
  expect(status()).toBe("");
  await shows("old", "b.txt");
});

test("says why a folder cannot be shown, and tries again", async () => {
  const transport = await aBackend(["a.txt"]);
  transport.failNext("folders", "folder_refused", 2);
  show(transport);
  await screen.findByText(/Your files cannot be shown here/);
  expect(screen.queryAllByRole("row")).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await shows("a.txt");
});

test("loads further pages with a button", async () => {
  show(await aBackend(["c", "b", "a"]), { pageSize: 2 });
  await shows("a", "b");
  expect(grid().getAttribute("aria-rowcount")).toBe("-1");
  const more = screen.getByRole("button", { name: "Show more" });
  act(() => more.focus());
  fireEvent.click(more);
  await shows("a", "b", "c");
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(entry("c")));
});

test("useFolder returns the same object until the state changes", async () => {
  const transport = await aBackend(["a.txt", "reports/b.txt"]);
  const { result, rerender } = renderHook(() => useFolder({ transport }), { wrapper: StrictMode });
  await waitFor(() => expect(result.current.status).toBe("ready"));
  const before = result.current;
  rerender();
  expect(result.current).toBe(before);
  await act(() => before.remove(before.files[0]!));
  expect(result.current.files).toEqual([]);
  expect(result.current.lastDeleted?.isRestorable).toBe(true);
});
