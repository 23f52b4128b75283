// @vitest-environment happy-dom
import { de } from "@stowage/client/locales/de";
import { createFakeTransport, type FakeTransport } from "@stowage/client/testing";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, expect, test } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";
import { ticketFor } from "@stowage/client-fixtures/ticket";
import { UploadAvatar, type UploadAvatarProps } from "./upload-avatar.js";

afterEach(cleanup);

const signal = new AbortController().signal;

async function aBackend(names: string[]): Promise<FakeTransport> {
  const transport = createFakeTransport({ routes: { avatar: {} } });
  for (const filename of names) {
    const ticket = await ticketFor(transport, {
      filename,
      size: 10,
      content_type: "image/png",
      route: "avatar",
    });
    await transport.put(ticket, aFile(filename, 10), { signal, onProgress: () => {} });
    await transport.complete({ file_path: ticket.file_path }, signal);
  }
  return transport;
}

const show = (transport: FakeTransport, props: Partial<UploadAvatarProps> = {}) =>
  render(
    <UploadAvatar transport={transport} route="avatar" variant="avatar" alt="Ada" fallback="A" {...props} />,
    { wrapper: StrictMode },
  );

/** The picture that is not hidden. What the browser would load is loaded. */
const picture = () =>
  waitFor(() => {
    const isHidden = (image: Element) => image.closest("[hidden], .stowage-avatar-next") !== null;
    const images = screen.getAllByAltText<HTMLImageElement>("Ada");
    for (const image of images) if (isHidden(image)) fireEvent.load(image);
    const shown = screen.getAllByAltText<HTMLImageElement>("Ada").filter((image) => !isHidden(image));
    expect(shown).toHaveLength(1);
    return shown[0]!;
  });
function choose(name: string, type = "image/png") {
  const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
  Object.defineProperty(input, "files", {
    value: [new File(["0123456789"], name, { type })],
    configurable: true,
  });
  fireEvent.change(input);
}

test("shows the newest picture of the route as the variant, and the fallback without one", async () => {
  const transport = await aBackend(["old.png", "new.png"]);
  show(transport);
  expect((await picture()).src).toContain("new.png");
  expect(transport.calls.find(({ step }) => step === "downloads")?.body).toMatchObject({ reuse: true });
  cleanup();
  show(await aBackend([]));
  expect(await screen.findByText("A")).toBeTruthy();
});

test("the texts of a language name the button after a picture", async () => {
  show(await aBackend([]), { messages: de });
  expect(screen.getByRole("button", { name: "Bild ändern" })).toBeTruthy();
  cleanup();
  show(await aBackend([]), { messages: { ...de, changePicture: "Foto ändern" } });
  expect(screen.getByRole("button", { name: "Foto ändern" })).toBeTruthy();
});

test("the hint says the kind and the size, but not that there is one picture", async () => {
  show(createFakeTransport({ routes: { avatar: { accept: "image/*", maxSize: 4e6 } } }));
  expect(await screen.findByText("Images, up to 4 MB")).toBeTruthy();
  cleanup();
  show(createFakeTransport({ routes: { avatar: { maxSize: 4e6 } } }), {
    messages: { hint: ({ maxSize, maxFiles }) => `Bis ${maxSize}, ${maxFiles}` },
  });
  expect(await screen.findByText("Bis 4 MB, undefined")).toBeTruthy();
});

test("a given address is shown without any call", async () => {
  const transport = await aBackend(["old.png"]);
  const before = transport.calls.length;
  show(transport, { src: "https://cdn.test/ada.png" });
  expect((await picture()).src).toBe("https://cdn.test/ada.png");
  expect(transport.calls.slice(before).filter(({ step }) => step !== "routes")).toEqual([]);
});

test("a given address that the browser cannot load shows the fallback, until there is another address", async () => {
  const transport = await aBackend([]);
  const page = show(transport, { src: "https://cdn.test/gone.png" });
  fireEvent.error(await picture());
  const withCors = await picture();
  expect(withCors.crossOrigin).toBe("anonymous");
  fireEvent.error(withCors);
  expect(screen.getByText("A")).toBeTruthy();
  page.rerender(<UploadAvatar transport={transport} alt="Ada" fallback="A" src="https://cdn.test/ada.png" />);
  expect((await picture()).src).toBe("https://cdn.test/ada.png");
});

test("shows the fallback until a picture without a placeholder is loaded, also while its variant is being made", async () => {
  const transport = await aBackend(["old.png"]);
  const answer = transport.holdNext("downloads");
  show(transport);
  await answer.arrived;
  expect(screen.getByText("A")).toBeTruthy();
  answer.fail("variant_pending");
  const image = await picture();
  expect(screen.getByText("A")).toBeTruthy();
  fireEvent.load(image);
  expect(screen.queryByText("A")).toBeNull();
});

test.each(["variant_impossible", "preset_not_found", "download_refused"] as const)(
  "shows the fallback if the picture cannot be had (%s), and asks once",
  async (code) => {
    const transport = await aBackend(["old.png"]);
    transport.failNext("downloads", code);
    show(transport);
    await waitFor(() => expect(document.querySelector('.stowage-frame[data-status="failed"]')).toBeTruthy());
    expect(screen.getByText("A")).toBeTruthy();
    expect(screen.queryByAltText("Ada")).toBeNull();
    expect(transport.calls.filter(({ step }) => step === "downloads")).toHaveLength(1);
  },
);

test("shows the fallback without a network, and the picture when the network is back", async () => {
  const transport = await aBackend(["old.png"]);
  transport.failNext("list", "network_error", 2);
  show(transport);
  expect(await screen.findByText("A")).toBeTruthy();
  transport.failNext("downloads", "network_error");
  act(() => void dispatchEvent(new Event("online")));
  await waitFor(() => expect(transport.calls.at(-1)?.step).toBe("downloads"));
  act(() => void dispatchEvent(new Event("online")));
  expect((await picture()).src).toContain("old.png");
});

test("shows the chosen picture at once, with its progress, and keeps it when it is stored", async () => {
  const transport = await aBackend(["old.png"]);
  show(transport);
  await picture();
  const put = transport.holdNext("put");
  act(() => choose("face.png"));
  await put.arrived;
  act(() => put.progress(5));
  expect((await picture()).src).toMatch(/^blob:/);
  await waitFor(() => expect(screen.getByRole("progressbar")).toBeTruthy());
  await act(async () => put.release());
  await waitFor(() => expect(transport.uploads.at(-1)).toMatchObject({ name: "face.png", isStored: true }));
  await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  expect((await picture()).src).toMatch(/^blob:/);
});

test("a cancelled upload brings the present picture back", async () => {
  const transport = await aBackend(["old.png"]);
  show(transport);
  const put = transport.holdNext("put");
  act(() => choose("face.png"));
  await put.arrived;
  fireEvent.click(screen.getByRole("button", { name: /^Cancel/ }));
  await waitFor(async () => expect((await picture()).src).toContain("old.png"));
});

test("refuses another picture while one is uploaded, and still shows the first", async () => {
  const transport = await aBackend(["old.png"]);
  show(transport);
  await picture();
  const confirmation = transport.holdNext("complete");
  act(() => choose("face.png"));
  await confirmation.arrived;
  act(() => choose("other.png"));
  expect((await screen.findAllByText(/You can upload at most 1 file/)).length).toBeGreaterThan(0);
  expect((await picture()).src).toMatch(/^blob:/);
  await act(async () => confirmation.release());
  await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  expect((await picture()).src).toMatch(/^blob:/);
  expect(transport.uploads.map(({ name }) => name)).toEqual(["old.png", "face.png"]);
});

test("a refused picture says why, can be tried again, and leaves the present one", async () => {
  const transport = await aBackend(["old.png"]);
  show(transport);
  await picture();
  transport.failNext("request", "quota_exceeded");
  act(() => choose("face.png"));
  expect((await screen.findAllByText(/There is not enough storage left/)).length).toBeGreaterThan(0);
  expect((await picture()).src).toContain("old.png");
  fireEvent.click(screen.getByRole("button", { name: "Retry face.png" }));
  await waitFor(() => expect(transport.uploads.at(-1)).toMatchObject({ name: "face.png", isStored: true }));
  await waitFor(async () => expect((await picture()).src).toMatch(/^blob:/));
});

test("shows the newest picture that can be shown: a newer one that cannot be decoded does not replace it", async () => {
  const transport = await aBackend(["old.png", "broken.png"]);
  transport.failNext("downloads", "variant_impossible");
  show(transport);
  expect((await picture()).src).toContain("old.png");
});

test("keeps the present picture, and says why, if the backend cannot decode the new one", async () => {
  const transport = await aBackend(["old.png"]);
  show(transport);
  await picture();
  transport.failNext("complete", "image_unreadable");
  act(() => choose("face.png"));
  expect((await screen.findAllByText(/This picture cannot be opened/)).length).toBeGreaterThan(0);
  expect((await picture()).src).toContain("old.png");
  expect(screen.queryByRole("button", { name: "Retry face.png" })).toBeNull();
});

test("shows the stored variant of a picture that the browser cannot show, and the present one until then", async () => {
  const transport = await aBackend(["old.png"]);
  show(transport);
  fireEvent.load(await picture());
  const variant = transport.holdNext("downloads");
  act(() => choose("face.heic", "image/heic"));
  await variant.arrived;
  expect((await picture()).src).toContain("old.png");
  await act(async () => variant.release());
  await waitFor(async () => expect((await picture()).src).toContain("face.heic"));
});

test("offers the pictures that can be shown: by the browser, or with a variant by the service", async () => {
  const accepted = () => document.querySelector<HTMLInputElement>("input[type=file]")!.accept.split(",");
  show(await aBackend([]));
  expect(accepted()).toContain("image/heic");
  cleanup();
  show(await aBackend([]), { variant: undefined });
  expect(accepted()).toContain("image/webp");
  expect(accepted()).not.toContain("image/heic");
  expect(screen.getByText("Images")).toBeTruthy();
  cleanup();
  show(await aBackend([]), { accept: "image/png" });
  expect(accepted()).toEqual(["image/png"]);
  expect(screen.getByText("PNG")).toBeTruthy();
});

test("refuses a file that is no image, without a call", async () => {
  const transport = await aBackend([]);
  show(transport);
  act(() => choose("letter.pdf", "application/pdf"));
  expect((await screen.findAllByText(/This type of file is not accepted/)).length).toBeGreaterThan(0);
  expect(transport.uploads).toEqual([]);
});
