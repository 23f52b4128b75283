// @vitest-environment happy-dom
import { createFakeTransport, type FakeTransport } from "@stowage/client/testing";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";
import { choose } from "../../test/rendered-widget.js";
import { Upload } from "../index.js";

let transport: FakeTransport;
beforeEach(() => {
  transport = createFakeTransport();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function App({ page }: { page: "files" | "other" }) {
  return (
    <Upload.Provider>
      <button type="button">Menu</button>
      {page === "files" && (
        <Upload.Root transport={transport} label="Documents">
          <Upload.List />
        </Upload.Root>
      )}
      <Upload.Tray />
    </Upload.Provider>
  );
}

/** Starts uploads on one page of an app, and moves to another page while they wait for storage. */
async function leaveWith(...names: string[]) {
  const puts = names.map(() => transport.holdNext("put"));
  const { rerender } = render(<App page="files" />, { wrapper: StrictMode });
  choose(...names.map((name) => aFile(name)));
  await Promise.all(puts.map((put) => put.arrived));
  expect(tray()).toBeNull();
  rerender(<App page="other" />);
  await screen.findByRole("region", { name: "Uploads" });
  return { puts, show: (page: "files" | "other") => rerender(<App page={page} />) };
}

const tray = () => screen.queryByRole("region", { name: "Uploads" });
const inTray = () => within(tray()!);
const button = (name: string) => inTray().getByRole("button", { name });

test("shows uploads of a page that was left, until the page is back", async () => {
  const { puts, show } = await leaveWith("a.jpg", "b.jpg");
  expect(inTray().getAllByRole("listitem")).toHaveLength(2);
  expect(tray()?.textContent).toContain("Uploading 2 files");
  show("files");
  await waitFor(() => expect(tray()).toBeNull());
  expect(screen.getByRole("group", { name: "Documents" }).textContent).toContain("a.jpg");
  for (const put of puts) put.release();
  await waitFor(() => expect(transport.uploads.every(({ isStored }) => isStored)).toBe(true));
});

test("cancels one file, and all", async () => {
  await leaveWith("a.jpg", "b.jpg", "c.jpg");
  fireEvent.click(button("Cancel a.jpg"));
  await waitFor(() => expect(transport.uploads.map(({ name }) => name)).toEqual(["b.jpg", "c.jpg"]));
  fireEvent.click(button("Cancel all"));
  await waitFor(() => expect(transport.uploads).toEqual([]));
  expect(inTray().queryByRole("listitem")).toBeNull();
});

test("keeps a failed file until it is retried", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  transport.failNext("complete", "unauthorized");
  const { puts } = await leaveWith("a.jpg");
  puts[0]!.release();
  await inTray().findByText(/signed out/);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  fireEvent.click(button("Retry a.jpg"));
  await waitFor(() => expect(tray()?.textContent).toContain("1 of 1 file uploaded"));
});

test("disappears a while after the last upload, but not while it is used", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { puts } = await leaveWith("a.jpg");
  puts[0]!.release();
  await waitFor(() => expect(tray()?.textContent).toContain("1 of 1 file uploaded"));
  act(() => button("Close").focus());
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(tray()).not.toBeNull();
  act(() => screen.getByRole("button", { name: "Menu" }).focus());
  await act(() => vi.advanceTimersByTimeAsync(7_000));
  expect(tray()).toBeNull();
});

test("takes no focus, collapses, and gives the focus back when it is closed", async () => {
  const { puts } = await leaveWith("a.jpg");
  expect(document.activeElement).toBe(document.body);
  const menu = screen.getByRole("button", { name: "Menu" });
  act(() => menu.focus());
  const toggle = button("Files");
  act(() => toggle.focus());
  fireEvent.click(toggle);
  expect(toggle.getAttribute("aria-expanded")).toBe("false");
  expect(inTray().queryByRole("listitem")).toBeNull();
  expect(inTray().getByRole("progressbar", { name: "All files" })).toBeTruthy();
  puts[0]!.release();
  await inTray().findByRole("button", { name: "Close" });
  fireEvent.click(button("Close"));
  expect(tray()).toBeNull();
  expect(document.activeElement).toBe(menu);
});

test("announces each change once, in the tray or in the widget", async () => {
  const { puts, show } = await leaveWith("a.jpg", "b.jpg");
  const spoken = () => screen.getAllByRole("status").map(({ textContent }) => textContent);
  fireEvent.click(button("Cancel a.jpg"));
  await waitFor(() => expect(spoken()).toEqual(["a.jpg cancelled."]));
  show("files");
  await waitFor(() => expect(tray()).toBeNull());
  puts[1]!.release();
  await waitFor(() => expect(spoken()).toEqual(["1 file uploaded."]));
});
