// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "@stowage/client-fixtures/backend";
import { aFile } from "@stowage/client-fixtures/runtime";
import { choose, rowsOf, waitForRows } from "../../test/rendered-widget.js";
import { UploadDropzone } from "../upload-dropzone.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => {
  cleanup();
  backend.close();
});

// A row is "uploading" before its PUT is at storage. A PUT that is paused on its way does not take the answer that is planned for it, so the
// resumed file would hang.
const waitForPuts = (count: number) => waitFor(() => expect(backend.of("put")).toHaveLength(count));
const button = (name: string) => screen.getByRole("button", { name });

test("one button pauses a file and lets it continue, and keeps the focus", async () => {
  backend.nextAnswers.put.push("hang");
  render(<UploadDropzone endpoint={backend.endpoint} />);
  choose(aFile("film.mp4"));
  await waitForRows("uploading");
  await waitForPuts(1);
  button("Pause film.mp4").focus();
  fireEvent.click(button("Pause film.mp4"));
  await waitForRows("paused");
  expect(rowsOf("paused")[0]?.textContent).toContain("Paused");
  expect(document.activeElement).toBe(button("Resume film.mp4"));
  expect(screen.getByRole("button", { name: "Cancel film.mp4" })).toBeTruthy();
  await screen.findByText(/film\.mp4 paused\./);
  await act(async () => fireEvent.click(button("Resume film.mp4")));
  await waitForRows("done");
  expect(screen.queryByRole("button", { name: /Pause|Resume/ })).toBeNull();
});

test("one button pauses all files, and lets them continue", async () => {
  backend.nextAnswers.put.push("hang", "hang");
  render(<UploadDropzone endpoint={backend.endpoint} />);
  choose(aFile("a.mp4"), aFile("b.mp4"));
  await waitForRows("uploading", 2);
  await waitForPuts(2);
  fireEvent.click(button("Pause all"));
  await waitForRows("paused", 2);
  expect(screen.getByText("Paused · 0%")).toBeTruthy();
  await act(async () => fireEvent.click(button("Resume all")));
  await waitForRows("done", 2);
});
