// @vitest-environment happy-dom
import { createFakeTransport } from "@stowage/client/testing";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";
import { choose, waitForRows } from "../../test/rendered-widget.js";
import { UploadDropzone } from "../index.js";

afterEach(cleanup);

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("asks before it discards, with the focus on the safe answer, and retries the file then", async () => {
  const transport = createFakeTransport({ quota: 2000 });
  await transport.request({ filename: "dead.mov", size: 1500 }, new AbortController().signal);
  render(<UploadDropzone transport={transport} />);
  choose(aFile("again.mov", 1500));
  await waitForRows("failed");

  press("Discard unfinished uploads");
  screen.getByText("Uploads that are running in another window or on another device may be cancelled too.");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Keep" }));
  press("Keep");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Discard unfinished uploads" }));
  expect(transport.calls.some(({ step }) => step === "discard")).toBe(false);

  press("Discard unfinished uploads");
  press("Discard");
  await waitForRows("done");
  expect(transport.uploads.map(({ name }) => name)).toEqual(["again.mov"]);
});

test("offers nothing for another failure", async () => {
  const transport = createFakeTransport({ quota: 1000 });
  render(<UploadDropzone transport={transport} />);
  choose(aFile("huge.mov", 1500));
  await waitForRows("failed");
  expect(screen.queryByRole("button", { name: "Discard unfinished uploads" })).toBeNull();
});
