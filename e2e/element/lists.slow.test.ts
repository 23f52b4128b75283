import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { sharedChromium } from "../fixtures/chromium.js";
import { dragFiles, dragTexts } from "../fixtures/drag-files.js";
import { paste } from "../fixtures/paste.js";
import { createPhotos } from "../fixtures/photos.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { scrollToEnd } from "../fixtures/scroll-to-end.js";
import { writePackage, writeRubbish } from "../fixtures/write-rubbish.js";
import { sha256 } from "../widget/fixtures/backend.js";
import { pseudoRandomBytes } from "../widget/fixtures/pseudo-random-bytes.js";
import {
  continueWith,
  FOUR_PARTS_BYTES,
  rowIn,
  sentParts,
  uploadTwoParts,
} from "../widget/fixtures/unfinished-uploads.js";
import { anElementHarness, type ElementPage } from "./fixtures/an-element-page.js";

const harness = anElementHarness();
const dropzone = (attributes = "") =>
  `<stowage-dropzone endpoint="/api/stowage" ${attributes}></stowage-dropzone>`;

async function expectAccessible({ page }: ElementPage): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await axeViolations(page, colorScheme === "light" ? "all" : "colours")).toEqual([]);
  }
}

describe("an upload that a closed page has left unfinished", () => {
  const video = pseudoRandomBytes("element", FOUR_PARTS_BYTES);
  async function openHalfUploaded() {
    const opened = await harness.open(dropzone(), { stowage: { multipartFrom: "5MiB" } });
    const source = await harness.file("holiday.mp4", video);
    await uploadTwoParts(opened, source);
    await opened.page.reload();
    await rowIn(opened.page).getByText("Choose the file again to continue.").waitFor();
    // Before this, further sentences would be announced together with it.
    await expect.poll(opened.announced).toBe("1 unfinished upload can be continued.");
    return { ...opened, source };
  }

  test("is sent after Continue, and sends no stored part again", async () => {
    const opened = await openHalfUploaded();
    await expectAccessible(opened);
    await continueWith(opened.page, opened.source);
    await opened.rows("done").waitFor();
    expect(sentParts(opened)).toEqual([1, 2, 3, 4]);
    expect(await harness.backend.filesOf(opened.user)).toMatchObject([
      { status: "stored", sha256: sha256(video) },
    ]);
    expect(opened.consoleErrors).toEqual([]);
  });

  test("gives the quota back after Discard, and the focus moves to the trigger", async () => {
    const opened = await openHalfUploaded();
    await opened.button("Discard holiday.mp4").focus();
    await opened.page.keyboard.press("Enter");
    await rowIn(opened.page).waitFor({ state: "detached" });
    expect(await harness.backend.reservedBytesOf(opened.user)).toBe(0);
    await expect.poll(opened.announced).toBe("holiday.mp4 discarded.");
    await expect
      .poll(() => opened.element.evaluate(({ shadowRoot }) => shadowRoot!.activeElement?.textContent?.trim()))
      .toBe("Choose files");
  });
});

test("asks before it discards what unfinished uploads hold of the quota, and then uploads", async () => {
  const opened = await harness.open(dropzone());
  const { page, rows } = opened;
  await harness.backend.setQuota(opened.user, 2_000_000);
  const video = await harness.file("video.bin", pseudoRandomBytes("held", 1_500_000));
  opened.storage.hold();
  await opened.choose(video);
  await rows("uploading").waitFor();
  // The other page ends without any event, so nothing is cancelled.
  const crashed = page.waitForEvent("crash");
  void opened.devTools.send("Page.crash").catch(() => undefined);
  await crashed;
  const again = await opened.context.newPage();
  await again.goto(opened.app.url);
  await again.locator("input[data-picker=files]").setInputFiles(video);
  const failed = again.locator("li.stowage-item[data-status=failed]");
  await failed.getByText(/^Uploads that were not finished hold/).waitFor();
  await failed.getByRole("button", { name: "Discard unfinished uploads" }).click();
  expect(await axeViolations(again)).toEqual([]);
  await again.getByRole("button", { name: "Discard", exact: true }).click();
  // Released earlier, the PUT of the page that has ended would be stored.
  await again.locator("li.stowage-item[data-status=uploading]").waitFor();
  opened.storage.release();
  await again.locator("li.stowage-item[data-status=done]").waitFor();
  expect(await harness.backend.usageOf(opened.user)).toMatchObject({ files: 1, bytes: 1_500_000 });
});

describe("gestures", () => {
  test("uploads pasted files, leaves pasted text to the page, and takes no paste with paste=false", async () => {
    const opened = await harness.open(dropzone());
    await opened.button("Choose files").focus();
    await paste(opened.page, "text");
    expect(await opened.rows().count()).toBe(0);
    await paste(opened.page, "file");
    await opened.rows("done").waitFor();
    expect(await harness.backend.filesOf(opened.user)).toMatchObject([{ filename: "pasted.txt" }]);
    await opened.element.evaluate((element) => element.setAttribute("paste", "false"));
    await paste(opened.page, "file");
    await opened.choose(await harness.file("chosen.txt", "chosen"));
    await expect.poll(() => opened.rows("done").count()).toBe(2);
    expect(await opened.rows().allInnerTexts()).not.toContainEqual(expect.stringContaining("pasted.txt (2)"));
  });

  test("uploads the files of a dropped folder, and shows where each was", async () => {
    const opened = await harness.open(dropzone());
    const album = join(await harness.folder(), "album");
    await mkdir(join(album, "deep"), { recursive: true });
    await writeFile(join(album, "cover.txt"), "cover");
    await writeFile(join(album, ".DS_Store"), "junk");
    await writeFile(join(album, "deep", "cover.txt"), "deep cover");
    await (await dragFiles(opened, opened.element, [album])).drop();
    await expect.poll(() => opened.rows("done").count()).toBe(2);
    const origins = await opened.page.locator("[part=origin]").allInnerTexts();
    expect(origins.map((origin) => origin.trim()).sort()).toEqual(["album", "album/deep"]);
  });

  test("leaves out system files, and names a package folder", async () => {
    const opened = await harness.open(dropzone(`max-files="1"`));
    const folder = await harness.folder();
    const count = await writeRubbish(join(folder, "disk"));
    await writeFile(join(folder, "disk", "a.jpg"), "a");
    await writePackage(join(folder, "disk", "Talk.key"));
    await (await dragFiles(opened, opened.element, [join(folder, "disk")])).drop();
    await opened.rows("done").waitFor();
    expect(await harness.backend.filesOf(opened.user)).toMatchObject([{ filename: "a.jpg" }]);
    const hint = opened.page.locator("[part=hint]");
    await expect
      .poll(() => hint.innerText())
      .toBe(`Package folders must be compressed first: Talk.key.\n${count} system files were left out.`);
    await saveScreenshot(opened.page, "element-left-out");
    expect(
      await opened.element.evaluate(
        (element) => (element as unknown as { snapshot: { leftOut: File[] } }).snapshot.leftOut.length,
      ),
    ).toBe(count);
  });

  test("says that a dropped link must be saved first, and refuses a message without content", async () => {
    const opened = await harness.open(dropzone());
    const link = await dragTexts(opened, opened.element, { "text/uri-list": "https://a.example/" });
    await link.drop();
    const sentence = "Save this as a file first, then choose the file.";
    await expect.poll(() => opened.page.locator("[part=hint][data-notice]").innerText()).toBe(sentence);
    await opened.choose(await harness.file("Offer.msg", ""));
    await opened.rows("failed").getByText(sentence).waitFor();
  });

  test("has a button for a whole folder", async () => {
    const opened = await harness.open(dropzone(`sources="folder environment"`));
    const album = join(await harness.folder(), "album");
    await mkdir(album);
    await writeFile(join(album, "cover.txt"), "cover");
    // The camera is for devices without a mouse.
    expect(await opened.button("Use camera").count()).toBe(0);
    await expectAccessible(opened);
    const chooser = opened.page.waitForEvent("filechooser");
    await opened.button("Choose folder").click();
    await (await chooser).setFiles(album);
    await opened.rows("done").waitFor();
    expect(await harness.backend.filesOf(opened.user)).toMatchObject([{ filename: "cover.txt" }]);
  });

  test("pauses a file, and lets it continue", async () => {
    const opened = await harness.open(dropzone());
    opened.storage.hold();
    await opened.choose(await harness.file("a.txt", "hello"));
    await opened.rows("uploading").waitFor();
    await opened.button("Pause a.txt").click();
    await opened.rows("paused").waitFor();
    opened.storage.release();
    await expectAccessible(opened);
    await opened.button("Resume a.txt").click();
    await opened.rows("done").waitFor();
  });
});

describe("previews", () => {
  test("shows images, an icon for what is none, and gives the memory back", async () => {
    const opened = await harness.open(dropzone("preview"), {
      script: () => {
        const open = new Set<string>();
        Object.assign(window, { openUrls: open });
        const { createObjectURL, revokeObjectURL } = URL;
        URL.createObjectURL = (blob) => {
          const url = createObjectURL.call(URL, blob);
          open.add(url);
          return url;
        };
        URL.revokeObjectURL = (url) => {
          open.delete(url);
          revokeObjectURL.call(URL, url);
        };
      },
    });
    const { page, rows, element } = opened;
    const openUrls = () => page.evaluate<number>("openUrls.size");
    const context = await (await sharedChromium()).newContext();
    const [photo] = await createPhotos(context, await harness.folder(), { count: 1, width: 64, height: 64 });
    await context.close();
    await opened.choose(
      photo!,
      await harness.file("notes.txt", "a"),
      await harness.file("broken.png", "no image"),
    );
    await expect.poll(() => rows("done").count()).toBe(3);
    const image = page.locator("stowage-dropzone img");
    await expect.poll(() => image.count()).toBe(1);
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(64);
    await expect.poll(() => page.locator("[part=badge] svg").count()).toBe(2);
    await expectAccessible(opened);
    // Moved in the page, it shows the image again.
    await element.evaluate((dropzone) => document.querySelector("h1")!.before(dropzone));
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(64);
    await element.evaluate((dropzone) => dropzone.remove());
    await expect.poll(openUrls).toBe(0);
    expect(opened.consoleErrors).toEqual([]);
  });

  test("shows no image without the attribute", async () => {
    const opened = await harness.open(dropzone());
    await opened.choose(await harness.file("photo.png", "bytes"));
    await opened.rows("done").waitFor();
    expect(await opened.page.locator("stowage-dropzone img").count()).toBe(0);
  });
});

describe("a list of 300 files", () => {
  const namesOf = ({ rows }: ElementPage) => rows().locator("[part=name]").allInnerTexts();

  /** Adds files that the page creates itself, named `first-1.txt` and so on. */
  async function add({ element }: ElementPage, name: string, count: number): Promise<void> {
    await element.evaluate(
      (dropzone, [name, count]) => {
        const files = Array.from(
          { length: count },
          (_, i) => new File([`${name} ${i}`], `${name}-${i + 1}.txt`),
        );
        (dropzone as unknown as { add(files: File[]): void }).add(files);
      },
      [name, count] as const,
    );
  }

  test("scrolls in its box, renders the rows near the visible ones, and scrolls to added files", async () => {
    const opened = await harness.open(dropzone(`auto-start="false"`));
    const { page, rows } = opened;
    await add(opened, "first", 300);
    await expect.poll(opened.announced).toBe("300 files added.");
    await expect.poll(() => rows().count()).toBeLessThan(50);
    expect((await namesOf(opened))[0]?.trim()).toBe("first-1.txt");
    const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
    await expect.poll(pageHeight).toBeLessThan(1000);
    expect(await rows().first().getAttribute("aria-setsize")).toBe("300");
    await expectAccessible(opened);

    await add(opened, "second", 20);
    await expect.poll(opened.announced).toBe("20 files added.");
    await page.locator("[part=name]", { hasText: "second-1.txt" }).waitFor();
    await scrollToEnd(page.locator("[part=list]"), page.locator("[aria-posinset='320']"));
    await expect.poll(() => rows().count()).toBeLessThan(50);
    expect(opened.consoleErrors).toEqual([]);
  });

  test("a focused row that is scrolled away keeps the focus, and Tab continues from there", async () => {
    const opened = await harness.open(dropzone(`auto-start="false"`));
    const { page, element } = opened;
    await add(opened, "first", 300);
    await expect.poll(() => opened.rows().count()).toBeLessThan(50);
    const focused = () =>
      element.evaluate(({ shadowRoot }) => shadowRoot!.activeElement?.getAttribute("aria-label"));
    await opened.button("Cancel first-2.txt").focus();
    await scrollToEnd(page.locator("[part=list]"), page.locator("[aria-posinset='300']"));
    expect(await focused()).toBe("Cancel first-2.txt");
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("Cancel first-3.txt");
  });

  test("renders every row if the code for long lists cannot be loaded", async () => {
    const opened = await harness.open(dropzone(`auto-start="false"`));
    await opened.page.route(/row-window/, (route) => route.abort("connectionfailed"));
    await add(opened, "first", 150);
    await expect.poll(() => opened.rows().count()).toBe(150);
  });
});
