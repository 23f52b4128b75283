// @vitest-environment happy-dom
import { de } from "@stowage/client/locales/de";
import { createFakeTransport, type FakeTransport } from "@stowage/client/testing";
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { mediaTypeOfName } from "@stowage/schemas/rules";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";
import { ticketFor } from "@stowage/client-fixtures/ticket";
import { controlIntersections } from "../../test/intersections.js";
import { useUpload } from "../use-upload.js";
import { FileGrid, type FileGridProps } from "./file-grid.js";

afterEach(cleanup);
let view: ReturnType<typeof controlIntersections>;
beforeEach(() => void (view = controlIntersections()));

const signal = new AbortController().signal;
/** The ThumbHash of the example at https://evanw.github.io/thumbhash/. */
const PLACEHOLDER = "1QcSHQRnh493V4dIh4eXh1h4kJUI";

async function aBackend(names: string[]): Promise<FakeTransport> {
  const transport = createFakeTransport();
  for (const name of names) {
    const file = aFile(name, 10);
    const content_type = mediaTypeOfName(name);
    const ticket = await ticketFor(transport, { filename: name, size: file.size, content_type });
    await transport.put(ticket, file, { signal, onProgress: () => {} });
    await transport.complete({ file_path: ticket.file_path }, signal);
  }
  const { list } = transport;
  transport.list = async (query, callSignal) => {
    const page = await list(query, callSignal);
    const image = { width: 400, height: 200, placeholder: PLACEHOLDER };
    return {
      ...page,
      files: page.files.map((file) => (file.content_type === "image/png" ? { ...file, image } : file)),
    };
  };
  return transport;
}

const show = (transport: FakeTransport, props: Partial<FileGridProps> = {}) =>
  render(<FileGrid transport={transport} variant="thumb" {...props} />, { wrapper: StrictMode });

const tileOf = async (name: string) => (await screen.findByText(name)).closest("li")!;
const imageOf = async (name: string) =>
  waitFor(async () => {
    const image = (await tileOf(name)).querySelector("img");
    expect(image).not.toBeNull();
    return image!;
  });
const frameOf = async (name: string) => (await tileOf(name)).querySelector<HTMLElement>(".stowage-frame")!;
const asked = ({ calls }: FakeTransport) => calls.filter(({ step }) => step === "downloads");

test("shows the placeholder first, and then the variant", async () => {
  show(await aBackend(["cat.png"]));
  const tile = await tileOf("cat.png");
  expect(tile.querySelector("img")).toBeNull();
  view.show([tile]);
  expect((await frameOf("cat.png")).style.backgroundImage).toMatch(/^url\("?data:image\/png;base64,/);
  const image = await imageOf("cat.png");
  expect((await frameOf("cat.png")).dataset["status"]).toBe("loading");
  expect(image.getAttribute("alt")).toBe("");
  fireEvent.load(image);
  expect((await frameOf("cat.png")).dataset["status"]).toBe("loaded");
});

test("reserves the space of an image from its width and height", async () => {
  show(await aBackend(["wide.png", "a.pdf"]), { layout: "rows" });
  expect((await tileOf("wide.png")).style.getPropertyValue("--ratio")).toBe("2");
  expect((await tileOf("a.pdf")).style.getPropertyValue("--ratio")).toBe("1");
});

test("asks only for the images that are near, in one call, and drops those that are far away", async () => {
  const transport = await aBackend(["1.png", "2.png", "3.png"]);
  show(transport);
  view.show([await tileOf("1.png"), await tileOf("2.png")]);
  await imageOf("1.png");
  expect(asked(transport).map(({ body }) => (body["file_paths"] as string[]).length)).toEqual([2]);
  expect((await tileOf("3.png")).querySelector("img")).toBeNull();
  view.show([await tileOf("1.png")], false);
  expect((await tileOf("1.png")).querySelector("img")).toBeNull();
});

test.each([
  ["letter.pdf", "thumb", true],
  ["film.mp4", "thumb", true],
  ["letter.pdf", undefined, false],
  ["letter.docx", "thumb", false],
])("%s with the variant %s has a picture: %s", async (name, variant, hasPicture) => {
  const transport = await aBackend([name]);
  show(transport, { variant });
  view.show([await tileOf(name)]);
  if (hasPicture) expect((await imageOf(name)).src).toContain(name);
  else expect((await frameOf(name)).dataset["status"]).toBe("icon");
});

test("a file that has no picture has its extension and its name, and asks for nothing", async () => {
  const transport = await aBackend(["letter.docx"]);
  show(transport);
  const tile = await tileOf("letter.docx");
  view.show([tile]);
  expect(within(tile).getByText("docx").getAttribute("aria-hidden")).toBe("true");
  expect(within(tile).getByRole("link").textContent).toContain("letter.docx");
  expect(asked(transport)).toEqual([]);
});

test("a deleted file and one that cannot be decoded have an icon", async () => {
  const transport = await aBackend(["gone.png", "broken.png"]);
  const { downloads } = transport;
  transport.downloads = async (body, callSignal) => {
    const [broken, gone] = body.file_paths;
    await downloads(body, callSignal);
    const refused = [{ file_path: broken!, code: "variant_impossible", detail: "" }];
    return { downloads: [], not_found: [gone!], refused } as never;
  };
  show(transport);
  view.show([await tileOf("broken.png"), await tileOf("gone.png")]);
  await waitFor(async () => expect((await frameOf("gone.png")).dataset["status"]).toBe("missing"));
  expect((await frameOf("broken.png")).dataset["status"]).toBe("failed");
  expect((await tileOf("gone.png")).querySelector("img")).toBeNull();
});

test("shows the placeholder while a variant is being made, and the variant as soon as it is there", async () => {
  const transport = await aBackend(["cat.png"]);
  transport.failNext("downloads", "variant_pending");
  show(transport);
  view.show([await tileOf("cat.png")]);
  await waitFor(() => expect(asked(transport)).toHaveLength(1));
  expect((await frameOf("cat.png")).dataset["status"]).toBe("loading");
  expect((await frameOf("cat.png")).style.backgroundImage).toContain("data:image/png");
  await imageOf("cat.png");
  expect(asked(transport)).toHaveLength(2);
});

test.each(["variant_impossible", "preset_not_found"] as const)(
  "shows icons if the backend has no variants (%s), and asks once",
  async (code) => {
    const transport = await aBackend(["cat.png"]);
    transport.failNext("downloads", code);
    show(transport);
    view.show([await tileOf("cat.png")]);
    await waitFor(async () => expect((await frameOf("cat.png")).dataset["status"]).toBe("failed"));
    expect(within(await tileOf("cat.png")).getByRole("link").textContent).toContain("cat.png");
    expect(asked(transport)).toHaveLength(1);
  },
);

test("loads an image with CORS if the page shows it only so, and renews a URL that cannot be loaded in either way", async () => {
  const transport = await aBackend(["cat.png"]);
  show(transport);
  view.show([await tileOf("cat.png")]);
  const first = await imageOf("cat.png");
  expect(first.crossOrigin ?? "").toBe("");
  fireEvent.error(first);
  const withCors = await imageOf("cat.png");
  expect([withCors.src, withCors.crossOrigin]).toEqual([first.src, "anonymous"]);
  expect(asked(transport)).toHaveLength(1);
  fireEvent.error(withCors);
  await waitFor(async () => expect(await imageOf("cat.png")).not.toBe(withCors));
  expect(asked(transport)).toHaveLength(2);
});

const comingTiles = () => document.querySelectorAll("li[aria-hidden=true]");

test("empty tiles have the place of the next page, which is loaded when they come into view", async () => {
  const transport = await aBackend(["1.png", "2.png", "3.png", "4.png", "5.png"]);
  show(transport, { pageSize: 2 });
  await tileOf("4.png");
  expect(comingTiles()).toHaveLength(2);
  expect(screen.queryByText("3.png")).toBeNull();
  const answer = transport.holdNext("list");
  view.show([comingTiles()[0]!]);
  await answer.arrived;
  expect(comingTiles()).toHaveLength(2);
  answer.release();
  await tileOf("2.png");
  // What was in view before does not load the page after the next one.
  expect(screen.queryByText("1.png")).toBeNull();
  view.show([comingTiles()[0]!]);
  await tileOf("1.png");
  expect(comingTiles()).toHaveLength(0);
});

test("a next page that fails is said below the files, and only a person tries again", async () => {
  const transport = await aBackend(["1.png", "2.png"]);
  show(transport, { pageSize: 1 });
  await tileOf("2.png");
  transport.failNext("list", "unavailable");
  view.show([comingTiles()[0]!]);
  const alert = await screen.findByRole("alert");
  expect(alert.previousElementSibling).toBe(screen.getByRole("list"));
  expect(comingTiles()).toHaveLength(0);
  expect(screen.queryByText("1.png")).toBeNull();
  fireEvent.click(within(alert).getByRole("button", { name: "Try again" }));
  await tileOf("1.png");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the button for the next page keeps the focus", async () => {
  const transport = await aBackend(["1.png", "2.png", "3.png"]);
  show(transport, { pageSize: 1 });
  await tileOf("3.png");
  const more = screen.getByRole("button", { name: "Show more" });
  more.focus();
  fireEvent.click(more);
  await tileOf("2.png");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Show more" }));
});

test("opens a file by a link, or by the page's own code", async () => {
  const transport = await aBackend(["cat.png"]);
  const opened: string[] = [];
  const page = show(transport);
  const link = within(await tileOf("cat.png")).getByRole("link", { name: "cat.png" });
  expect(link.getAttribute("href")).toContain("/download?file_path=");
  page.rerender(
    <FileGrid
      transport={transport}
      onOpen={({ filename }) => opened.push(filename)}
      actions={({ filename }) => <button>Delete {filename}</button>}
    />,
  );
  fireEvent.click(screen.getByRole("button", { name: "cat.png" }));
  expect(opened).toEqual(["cat.png"]);
  expect(screen.getByRole("button", { name: "Delete cat.png" })).toBeTruthy();
});

test("shows every text in the language of its labels", async () => {
  const transport = await aBackend([]);
  transport.failNext("list", "list_refused", 2);
  show(transport, { labels: de.grid, errorMessages: de.errors, locale: "de" });
  expect((await screen.findByRole("alert")).textContent).toContain("Ihre Dateien");
  fireEvent.click(screen.getByRole("button", { name: "Erneut versuchen" }));
  expect(await screen.findByText("Noch keine Dateien.")).toBeTruthy();
});

test("says that there is no file, and why the list failed", async () => {
  const transport = await aBackend([]);
  show(transport, { labels: { empty: "Noch keine Bilder." } });
  expect(await screen.findByText("Noch keine Bilder.")).toBeTruthy();
  cleanup();
  transport.failNext("list", "list_refused", 2);
  show(transport);
  expect((await screen.findByRole("alert")).textContent).toContain("Your files cannot be shown here.");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No files yet.")).toBeTruthy();
});

test("an upload of the same page adds a tile, and keeps the images that are there", async () => {
  const transport = await aBackend(["old.png"]);
  show(transport);
  view.show([await tileOf("old.png")]);
  const image = await imageOf("old.png");
  const upload = renderHook(() => useUpload({ transport }));
  act(() => upload.result.current.add([aFile("new.txt", 10)]));
  expect(await tileOf("new.txt")).toBeTruthy();
  expect(await imageOf("old.png")).toBe(image);
  expect(asked(transport)).toHaveLength(1);
});

test("renders on a server", async () => {
  expect(renderToString(<FileGrid transport={await aBackend([])} />)).toContain("Loading files");
});
