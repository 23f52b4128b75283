import { describe, expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";

const harness = aWidgetHarness();

const send = (widget: WidgetPage) => widget.page.getByRole("button", { name: "Send" });
const focused = (widget: WidgetPage) =>
  widget.page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    return element?.getAttribute("data-status") ?? element?.textContent ?? null;
  });
const paths = async (widget: WidgetPage) => (await widget.files()).map(({ path }) => path);

describe("the widget in a form", () => {
  test("submits one field with the path for each stored file", async () => {
    const widget = await harness.open({ form: true, inside: { field: { name: "document" } } });
    await widget.choose(await harness.file("a.txt", "a"), await harness.file("b.txt", "b"));
    await widget.waitForRows("done", 2);
    await send(widget).click();
    await expect.poll(() => widget.app.submitted.length).toBe(1);
    expect(widget.app.submitted[0]?.getAll("document").sort()).toEqual((await paths(widget)).sort());
  });

  test("waits with the submit until the files are stored, announces it, and submits once with the pressed button", async () => {
    const widget = await harness.open({ form: true, inside: { field: { name: "document" } } });
    widget.storage.hold();
    await widget.choose(await harness.file("a.txt", "a"));
    await widget.waitForRows("uploading");
    await widget.waitForAnnouncement("1 file added.");
    await send(widget).click();
    await widget.waitForAnnouncement("The form will be sent when all files are uploaded.");
    expect(widget.app.submitted).toEqual([]);
    widget.storage.release();
    await expect.poll(() => widget.app.submitted.length).toBe(1);
    expect([...(widget.app.submitted[0] ?? [])]).toEqual([
      ["document", (await paths(widget))[0]],
      ["intent", "send"],
    ]);
  });

  test("does not submit if a file fails, moves the focus to the file and announces the reason", async () => {
    const widget = await harness.open({ form: true, inside: { field: { name: "document" } } });
    widget.app.hold("request");
    widget.app.nextResponses("request", {
      status: 403,
      body: { detail: "Not today", code: "upload_refused" },
    });
    await widget.choose(await harness.file("a.txt", "a"));
    await widget.waitForAnnouncement("1 file added.");
    await send(widget).click();
    await widget.waitForAnnouncement("The form will be sent when all files are uploaded.");
    widget.app.release("request");
    await widget.waitForRows("failed");
    await widget.waitForAnnouncement(
      "a.txt failed. Not today The form was not sent because a file failed. Retry or remove the file, then send the form again.",
    );
    await expect.poll(() => focused(widget)).toBe("failed");
    expect(widget.app.submitted).toEqual([]);
  });

  test("asks for a required file, moves the focus to the button and announces it", async () => {
    const widget = await harness.open({
      form: true,
      inside: { field: { name: "document", required: true } },
    });
    await send(widget).click();
    await widget.waitForAnnouncement("Choose a file first.");
    await expect.poll(() => focused(widget)).toBe("Choose files");
    expect(widget.app.submitted).toEqual([]);
    await widget.choose(await harness.file("a.txt", "a"));
    await widget.waitForRows("done");
    await send(widget).click();
    await expect.poll(() => widget.app.submitted.length).toBe(1);
  });

  test("empties the list and cancels uploads on reset, and deletes no stored file", async () => {
    const widget = await harness.open({
      form: true,
      stowage: { allowDelete: true },
      inside: { field: { name: "document" } },
      props: { deleteOnRemove: true },
    });
    await widget.choose(await harness.file("a.txt", "a"));
    await widget.waitForRows("done");
    widget.storage.hold();
    await widget.choose(await harness.file("b.txt", "b"));
    await widget.waitForRows("uploading");
    await widget.page.getByRole("button", { name: "Start over" }).click();
    await expect.poll(() => widget.rows().count()).toBe(0);
    await send(widget).click();
    await expect.poll(() => widget.app.submitted.length).toBe(1);
    expect([...(widget.app.submitted[0] ?? [])]).toEqual([["intent", "send"]]);
    // The widget cancels the upload of b.txt, which returns its reservation.
    await expect
      .poll(async () => (await widget.files()).map(({ filename, status }) => [filename, status]))
      .toEqual([["a.txt", "stored"]]);
  });
});
