import type { StowageDropzone } from "@stowage/element";
import { describe, expect, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { dragFiles } from "../fixtures/drag-files.js";
import { translatePage } from "../fixtures/translate-page.js";
import { anElementHarness } from "./fixtures/an-element-page.js";

const harness = anElementHarness();
const DROPZONE = `<stowage-dropzone endpoint="/api/stowage"></stowage-dropzone>`;

/** Records the element's events as "name detail". */
function recordEvents() {
  const recorded: string[] = [];
  Object.assign(window, { recorded });
  document.addEventListener("stowage-uploaded", ({ detail }) =>
    recorded.push(`uploaded ${detail.item.name}`),
  );
  document.addEventListener("stowage-failed", ({ detail }) => recorded.push(`failed ${detail.failure.code}`));
  document.addEventListener("stowage-settled", ({ detail }) =>
    recorded.push(`settled ${detail.totals.done}`),
  );
  document.addEventListener("change", ({ target }) => {
    const { value } = target as HTMLElement & { value: string[] };
    recorded.push(`change ${value.length}`);
  });
}

describe("<stowage-dropzone> in plain HTML", () => {
  test("uploads a file with its progress, fires its events, and has no axe violation in light and dark", async () => {
    const opened = await harness.open(DROPZONE, { script: recordEvents });
    const { page, storage, rows } = opened;
    storage.hold();
    await opened.choose(await harness.file("a.txt", "hello"));
    await rows("uploading").waitFor();
    await page.getByRole("progressbar", { name: "a.txt" }).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await axeViolations(page)).toEqual([]);
    }
    storage.release();
    await rows("done").waitFor();
    await expect.poll(opened.announced).toBe("1 file uploaded.");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await axeViolations(page)).toEqual([]);
    }
    await expect.poll(() => page.evaluate("recorded")).toEqual(["uploaded a.txt", "settled 1", "change 1"]);
    const [stored] = await harness.backend.filesOf(opened.user);
    expect(stored).toMatchObject({ filename: "a.txt", status: "stored", sizeBytes: 5 });
    expect(opened.consoleErrors).toEqual([]);
  });

  test("shows each change in a page that the browser translates", async () => {
    const opened = await harness.open(DROPZONE);
    const { page, storage, rows } = opened;
    const shadow = await opened.element.evaluateHandle((element) => element.shadowRoot!);
    await shadow.evaluate(translatePage);
    storage.hold();
    await opened.choose(await harness.file("a.txt", "hello"));
    await rows("uploading").waitFor();
    expect(await page.locator("font").count()).toBeGreaterThan(0);
    storage.release();
    await rows("done").waitFor();
    expect(await rows("done").locator(".stowage-item-status").innerText()).toBe("Uploaded");
    expect(opened.consoleErrors).toEqual([]);
  });

  test("cancels an upload, and keeps the focus on the row", async () => {
    const opened = await harness.open(DROPZONE);
    opened.storage.hold();
    await opened.choose(await harness.file("a.txt", "hello"));
    await opened.rows("uploading").waitFor();
    await opened.button("Cancel a.txt").focus();
    await opened.page.keyboard.press("Enter");
    await opened.rows("cancelled").waitFor();
    const focused = () =>
      opened.element.evaluate(({ shadowRoot }) => shadowRoot!.activeElement?.getAttribute("data-status"));
    await expect.poll(focused).toBe("cancelled");
    await expect.poll(() => opened.app.calls.some(({ action }) => action === "cancel")).toBe(true);
  });

  test("moves the focus to the trigger when the last file is removed", async () => {
    const opened = await harness.open(DROPZONE);
    await opened.choose(await harness.file("a.txt", "hello"));
    await opened.rows("done").waitFor();
    await opened.button("Remove a.txt").focus();
    await opened.page.keyboard.press("Enter");
    const focused = () =>
      opened.element.evaluate(({ shadowRoot }) => shadowRoot!.activeElement?.getAttribute("data-part"));
    await expect.poll(focused).toBe("trigger");
  });

  test("shows why a file failed in the language around it, and announces it", async () => {
    const opened = await harness.open(
      `<div lang="de-AT"><stowage-dropzone endpoint="/api/stowage" max-size="3" label="Unterlagen"></stowage-dropzone></div>`,
      { script: recordEvents },
    );
    await opened.page.getByRole("group", { name: "Unterlagen" }).waitFor();
    await opened.button("Dateien auswählen").waitFor();
    await opened.choose(await harness.file("a.txt", "hello"));
    await opened.rows("failed").getByText("größer als", { exact: false }).waitFor();
    await expect.poll(opened.announced).toContain("a.txt");
    await expect.poll(() => opened.page.evaluate("recorded")).toContain("failed file_too_large");
    expect(await axeViolations(opened.page)).toEqual([]);
  });

  test("takes dropped files, and refuses a drag of other types", async () => {
    const opened = await harness.open(
      `<stowage-dropzone endpoint="/api/stowage" accept="text/plain"></stowage-dropzone>`,
    );
    const { page, element } = opened;
    const refused = await dragFiles(opened, element, [await harness.file("a.png", "no")]);
    await page.locator("[data-upload][data-state=drag-reject]").waitFor();
    await refused.leave();
    await page.locator("[data-upload][data-state=idle]").waitFor();
    const drag = await dragFiles(opened, element, [await harness.file("a.txt", "hello")]);
    await page.locator("[data-upload][data-state=drag-over]").waitFor();
    await drag.drop();
    await opened.rows("done").waitFor();
    expect(await harness.backend.filesOf(opened.user)).toMatchObject([{ filename: "a.txt" }]);
  });

  test("shows a name with HTML as text", async () => {
    const opened = await harness.open(DROPZONE);
    const name = "<img src=x onerror=alert(1)>.txt";
    await opened.choose(await harness.file(name, "hello"));
    await opened.rows("done").getByText(name, { exact: true }).waitFor();
    expect(await opened.page.locator("stowage-dropzone img").count()).toBe(0);
  });

  test("moved in the page it keeps its uploads, and an element that is added later shows them again", async () => {
    const opened = await harness.open(`${DROPZONE}<section></section>`);
    const { page, storage, rows, element } = opened;
    storage.hold();
    await opened.choose(await harness.file("a.txt", "hello"));
    await rows("uploading").waitFor();
    await element.evaluate((dropzone) => document.querySelector("section")!.append(dropzone));
    await page.locator("section >> li.stowage-item[data-status=uploading]").waitFor();
    await element.evaluate((dropzone) => dropzone.remove());
    storage.release();
    await expect.poll(async () => (await harness.backend.filesOf(opened.user))[0]?.status).toBe("stored");
    await page.evaluate(
      (html) => document.querySelector("section")!.insertAdjacentHTML("beforeend", html),
      DROPZONE,
    );
    await rows("done").waitFor();
    expect(storage.puts).toHaveLength(1);
  });

  test("uses properties that were set before the element was defined, and reflects them", async () => {
    const opened = await harness.open(`<stowage-dropzone></stowage-dropzone>
      <script>
        const dropzone = document.querySelector("stowage-dropzone");
        Object.assign(dropzone, { endpoint: "/api/stowage", maxFiles: 1, autoStart: false });
      </script>`);
    await expect
      .poll(() => opened.element.evaluate((dropzone) => dropzone.outerHTML))
      .toBe('<stowage-dropzone endpoint="/api/stowage" max-files="1" auto-start="false"></stowage-dropzone>');
    await opened.choose(await harness.file("a.txt", "hello"));
    await opened.rows("queued").waitFor();
    await opened.button("Start upload").click();
    await opened.rows("done").waitFor();
  });
});

describe("<stowage-dropzone> in a form", () => {
  const form = (attributes = "", around = "") => `<form method="post" action="/submitted" aria-label="Report">
    <fieldset ${around}><legend>Files</legend>
      <stowage-dropzone name="document" endpoint="/api/stowage" ${attributes}></stowage-dropzone>
    </fieldset>
    <button name="intent" value="send">Send</button><button type="reset">Start over</button></form>`;

  test("sends the path of each stored file under its name", async () => {
    const opened = await harness.open(form());
    await opened.choose(await harness.file("a.txt", "a"), await harness.file("b.txt", "b"));
    await expect.poll(() => opened.rows("done").count()).toBe(2);
    await opened.button("Send").click();
    await expect.poll(() => opened.app.submitted.length).toBe(1);
    const paths = (await harness.backend.filesOf(opened.user)).map(({ path }) => path);
    expect(opened.app.submitted[0]?.getAll("document").sort()).toEqual(paths.sort());
  });

  test("waits with the submit until the files are stored, and submits once with the pressed button", async () => {
    const opened = await harness.open(form());
    opened.storage.hold();
    await opened.choose(await harness.file("a.txt", "a"));
    await opened.rows("uploading").waitFor();
    await opened.button("Send").click();
    await expect.poll(opened.announced).toContain("The form will be sent when all files are uploaded.");
    expect(opened.app.submitted).toEqual([]);
    opened.storage.release();
    await expect.poll(() => opened.app.submitted.length).toBe(1);
    const [stored] = await harness.backend.filesOf(opened.user);
    expect([...(opened.app.submitted[0] ?? [])]).toEqual([
      ["document", stored?.path],
      ["intent", "send"],
    ]);
  });

  test("gives the submit up if a file fails while it waits, and says so", async () => {
    const opened = await harness.open(form());
    opened.storage.nextPuts({ kind: "held" });
    await opened.choose(await harness.file("a.txt", "a"));
    await opened.rows("uploading").waitFor();
    await opened.button("Send").click();
    await expect.poll(opened.announced).toContain("The form will be sent when all files are uploaded.");
    const refusal = { kind: "responds", status: 400 } as const;
    opened.storage.nextPuts(refusal, refusal);
    opened.storage.cut();
    await opened.rows("failed").waitFor();
    await expect.poll(opened.announced).toContain("The form was not sent because a file failed.");
    expect(opened.app.submitted).toEqual([]);
  });

  test("asks for a required file, moves the focus to the trigger and announces it", async () => {
    const opened = await harness.open(form("required"));
    await opened.button("Send").click();
    await expect.poll(opened.announced).toBe("Choose a file first.");
    expect(await opened.element.evaluate(({ validity }: StowageDropzone) => validity.valueMissing)).toBe(
      true,
    );
    await expect
      .poll(() => opened.element.evaluate(({ shadowRoot }) => shadowRoot!.activeElement?.textContent?.trim()))
      .toBe("Choose files");
    expect(await axeViolations(opened.page)).toEqual([]);
    expect(opened.app.submitted).toEqual([]);
    await opened.choose(await harness.file("a.txt", "a"));
    await opened.rows("done").waitFor();
    await opened.button("Send").click();
    await expect.poll(() => opened.app.submitted.length).toBe(1);
  });

  test("empties the list on reset, and deletes no stored file", async () => {
    const opened = await harness.open(form(), { stowage: { allowDelete: true } });
    await opened.choose(await harness.file("a.txt", "a"));
    await opened.rows("done").waitFor();
    await opened.button("Start over").click();
    await expect.poll(() => opened.rows().count()).toBe(0);
    expect(await harness.backend.filesOf(opened.user)).toMatchObject([{ status: "stored" }]);
  });

  test("a disabled fieldset disables it", async () => {
    const opened = await harness.open(form("required", "disabled"));
    await expect.poll(() => opened.button("Choose files").isDisabled()).toBe(true);
    expect(await opened.element.evaluate(({ willValidate }: StowageDropzone) => willValidate)).toBe(false);
    await opened.page.evaluate(() => (document.querySelector("fieldset")!.disabled = false));
    await expect.poll(() => opened.button("Choose files").isDisabled()).toBe(false);
  });
});

test("a file whose code does not come fails with the reason, and is stored when a person retries it", async () => {
  const opened = await harness.open(DROPZONE, { withoutCode: /\/uploads-/ });
  await opened.choose(await harness.file("a.txt", "a"));
  await opened.rows("failed").getByText("The server cannot be reached.").waitFor();
  await opened.page.unrouteAll();
  await opened.button("Retry a.txt").click();
  await opened.rows("done").waitFor();
  expect(await opened.rows().count()).toBe(1);
});
