// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "@stowage/client-fixtures/backend";
import { aFile } from "@stowage/client-fixtures/runtime";
import { choose } from "../test/rendered-widget.js";
import { UploadButton } from "./upload-button.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => {
  cleanup();
  backend.close();
});

test("shows the progress in the button, and can cancel everything", async () => {
  backend.nextAnswers.put.push("hang");
  render(<UploadButton endpoint={backend.endpoint} />);
  choose(aFile("a.jpg", 300_000));
  await screen.findByRole("button", { name: /^Uploading \d+%$/ });
  expect(screen.getByRole("progressbar", { name: "All files" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Cancel all" }));
  await screen.findByRole("button", { name: "Choose files" });
  expect(screen.queryByRole("progressbar")).toBeNull();
});

test("lists the failed files, and all files with `list`", async () => {
  backend.nextAnswers.request.push({ status: 403, body: { detail: "No", code: "quota_exceeded" } });
  const { rerender } = render(<UploadButton endpoint={backend.endpoint} concurrency={1} />);
  choose(aFile("full.jpg"), aFile("fine.jpg"));
  await screen.findByText("full.jpg");
  await waitFor(() => expect(backend.stored.size).toBe(1));
  expect(screen.queryByText("fine.jpg")).toBeNull();
  rerender(<UploadButton endpoint={backend.endpoint} concurrency={1} list />);
  expect(screen.getByText("fine.jpg")).toBeTruthy();
});

test("renders on a server", () => {
  expect(renderToString(<UploadButton endpoint="/api/upload" />)).toContain("Choose files");
});
