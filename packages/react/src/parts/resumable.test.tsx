// @vitest-environment happy-dom
import { defaultUploadClient } from "@stowage/client";
import { createFakeTransport } from "@stowage/client/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { fingerprintOf } from "../../../client/src/resume/fingerprint.js";
import { Upload } from "../index.js";
import { UploadDropzone, type UploadDropzoneProps } from "../upload-dropzone.js";

afterEach(() => {
  cleanup();
  defaultUploadClient.clear();
});

const CONTENT = new Uint8Array(2000).fill(1);
const neverAborted = new AbortController().signal;
const aVideo = () => new File([CONTENT], "video.mp4");

/** A backend with an unfinished upload that has one of its two parts. */
async function aBackend() {
  const transport = createFakeTransport({ multipartFrom: 1, partSize: 1000 });
  const { file_path } = await transport.request(
    {
      filename: "video.mp4",
      size: 2000,
      accepts_parts: true,
      fingerprint: await fingerprintOf(aVideo(), undefined),
    },
    neverAborted,
  );
  const { parts } = await transport.signParts({ file_path, parts: [{ number: 1 }] }, neverAborted);
  await transport.putPart({ ...parts[0]!, file_path }, new Blob([CONTENT.slice(0, 1000)]), {
    signal: neverAborted,
    onProgress: () => {},
  });
  const before = transport.calls.length;
  /** The calls of the page. */
  const stepsOf = (step: string) => transport.calls.slice(before).filter((call) => call.step === step);
  return { transport, stepsOf };
}

async function show(props: UploadDropzoneProps) {
  const view = render(<UploadDropzone resumable {...props} />);
  await screen.findByRole("button", { name: "Continue video.mp4" });
  return { ...view, picker: view.container.querySelectorAll<HTMLInputElement>("input[type=file]")[1]! };
}

function choose(picker: HTMLInputElement, file: File) {
  screen.getByRole("button", { name: "Continue video.mp4" }).click();
  fireEvent.change(picker, { target: { files: [file] } });
}

test("shows what is stored of an unfinished upload, and continues it with the file that is chosen for it", async () => {
  const { transport, stepsOf } = await aBackend();
  const { picker } = await show({ transport });
  const list = screen.getByRole("list", { name: "Unfinished uploads" });
  expect(list.textContent).toMatch(/1 kB of 2 kB · expires .*Choose the file again to continue\./);
  expect(screen.getByRole("progressbar", { name: "video.mp4" }).getAttribute("aria-valuenow")).toBe("50");
  choose(picker, aVideo());
  await screen.findByText("Uploaded");
  expect(screen.queryByRole("list", { name: "Unfinished uploads" })).toBeNull();
  expect(stepsOf("putPart").map(({ body }) => body)).toMatchObject([{ number: 2 }]);
  expect(stepsOf("request")).toEqual([]);
  expect(transport.uploads).toMatchObject([{ isStored: true, bytes: CONTENT }]);
});

test("refuses another file with a sentence that names the right one, and announces it", async () => {
  const { picker } = await show({ transport: (await aBackend()).transport });
  choose(picker, new File([new Uint8Array(2000)], "video.mp4"));
  const sentence = "This is another file. Choose video.mp4 (2 kB).";
  await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain(sentence));
});

test("discards an unfinished upload, and announces it", async () => {
  const { transport } = await aBackend();
  await show({ transport });
  screen.getByRole("button", { name: "Discard video.mp4" }).click();
  await waitFor(() => expect(screen.queryByText("video.mp4")).toBeNull());
  expect(transport.uploads).toEqual([]);
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("video.mp4 discarded."));
});

test.each([undefined, false])(
  "asks the backend nothing if resumable is %s and this browser remembers no upload",
  async (resumable) => {
    const { transport, stepsOf } = await aBackend();
    render(<UploadDropzone transport={transport} resumable={resumable} />);
    const input = document.querySelector("input[type=file]")!;
    fireEvent.change(input, { target: { files: [new File(["x"], "small.txt")] } });
    await screen.findByText("Uploaded");
    expect(stepsOf("open")).toEqual([]);
  },
);

test("a list without children has the rows, and one with its own rows has not", async () => {
  const { transport } = await aBackend();
  const root = (children: React.ReactNode) => (
    <Upload.Root transport={transport} resumable>
      {children}
    </Upload.Root>
  );
  const { rerender } = render(root(<Upload.List />));
  await screen.findByRole("list", { name: "Unfinished uploads" });
  rerender(root(<Upload.List>{() => null}</Upload.List>));
  expect(screen.queryByRole("list", { name: "Unfinished uploads" })).toBeNull();
});

test("the tray shows the rows of a list that the person has left, until it is closed", async () => {
  const { transport } = await aBackend();
  const page = (isOpen: boolean) => (
    <>
      {isOpen && <UploadDropzone transport={transport} resumable />}
      <Upload.Tray />
    </>
  );
  const { rerender } = render(page(true));
  await screen.findByRole("button", { name: "Continue video.mp4" });
  expect(screen.queryByRole("region", { name: "Uploads" })).toBeNull();
  rerender(page(false));
  await screen.findByRole("region", { name: "Uploads" });
  await screen.findByRole("button", { name: "Continue video.mp4" });
  screen.getByRole("button", { name: "Close" }).click();
  await waitFor(() => expect(screen.queryByRole("region", { name: "Uploads" })).toBeNull());
});
