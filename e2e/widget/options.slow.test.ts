import { describe, expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { sha256 } from "./fixtures/backend.js";

const harness = aWidgetHarness();

const calls = (widget: WidgetPage, action: string) =>
  widget.app.calls.filter((call) => call.action === action);
const stored = async (widget: WidgetPage) =>
  (await widget.files()).filter(({ status }) => status === "stored");

describe("the callbacks of the page", () => {
  test("validate refuses a file with its own message and accepts the others", async () => {
    const widget = await harness.open({
      inPage: () => ({
        validate: async (file: File) => ((await file.text()).includes("draft") ? "This is a draft." : null),
      }),
    });
    await widget.choose(await harness.file("a.txt", "a draft"), await harness.file("b.txt", "final"));
    await widget.waitForRows("failed");
    await widget.waitForRows("done");
    expect(await widget.row("a.txt").innerText()).toContain("This is a draft.");
    expect(calls(widget, "request")).toMatchObject([{ body: { filename: "b.txt" } }]);
    await expect
      .poll(() => widget.recorded("events"))
      .toContainEqual({
        event: "failed",
        name: "a.txt",
        detail: "file_refused",
      });
  });

  test("transform replaces the content that is sent", async () => {
    const widget = await harness.open({
      inPage: () => ({
        transform: async (file: File) => new Blob([(await file.text()).toUpperCase()], { type: file.type }),
      }),
    });
    await widget.choose(await harness.file("a.txt", "loud"));
    await widget.waitForRows("done");
    expect(await widget.files()).toMatchObject([
      { filename: "a.txt", status: "stored", contentType: "text/plain", sha256: sha256(Buffer.from("LOUD")) },
    ]);
  });

  test("duplicates=skip ignores a file that is already in the list", async () => {
    const widget = await harness.open({ props: { duplicates: "skip" } });
    const source = await harness.file("a.txt", "a");
    await widget.choose(source);
    await widget.waitForRows("done");
    await widget.choose(source, await harness.file("b.txt", "b"));
    await widget.waitForRows("done", 2);
    expect((await stored(widget)).map(({ filename }) => filename)).toEqual(["a.txt", "b.txt"]);
  });
});

describe("a route of the helper", () => {
  const routes = { avatar: { accept: "image/*", maxSize: 1000, onComplete: () => ({ shown: true }) } };

  test("sends its limits to the page, and the widget enforces them", async () => {
    const widget = await harness.open({ stowage: { routes }, props: { route: "avatar" } });
    await widget.page.getByText("Images, up to 1 kB").waitFor();
    await widget.choose(await harness.file("a.txt", "a"), await harness.file("b.png", "b"));
    await widget.waitForRows("failed");
    await widget.waitForRows("done");
    expect(calls(widget, "request")).toMatchObject([{ body: { filename: "b.png", route: "avatar" } }]);
    expect(calls(widget, "complete")).toMatchObject([{ status: 200 }]);
  });

  test("refuses a file that violates its limits if the page does not check them", async () => {
    const widget = await harness.open({ stowage: { routes }, props: { route: "avatar" } });
    await widget.page.getByText("Images, up to 1 kB").waitFor();
    const refusal = await widget.page.evaluate(async () => {
      const body = { filename: "a.txt", content_type: "text/plain", size: 5, route: "avatar" };
      const headers = { "Content-Type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch("/api/stowage/request", request)).json() as Promise<unknown>;
    });
    expect(refusal).toMatchObject({ code: "file_type_not_accepted" });
  });

  test("whose callback throws fails the file immediately, and a retry runs the callback again", async () => {
    let isBroken = true;
    const onComplete = () => {
      if (isBroken) throw new Error("the database is down");
      return { shown: true };
    };
    const widget = await harness.open({
      stowage: { routes: { avatar: { onComplete } }, onError: () => undefined },
      props: { route: "avatar" },
    });
    await widget.choose(await harness.file("b.png", "b"));
    await widget.waitForRows("failed");
    expect(await widget.row("b.png").innerText()).toContain(
      "The file arrived, but could not be processed. Try again.",
    );
    isBroken = false;
    await widget.button("Retry b.png").click();
    await widget.waitForRows("done");
    expect(widget.storage.puts).toHaveLength(1);
    expect(await stored(widget)).toHaveLength(1);
  });
});

describe("removing a stored file", () => {
  test("keeps it in storage by default", async () => {
    const widget = await harness.open({ stowage: { allowDelete: true } });
    await widget.choose(await harness.file("a.txt", "a"));
    await widget.waitForRows("done");
    await widget.button("Remove a.txt").click();
    await expect.poll(() => widget.rows().count()).toBe(0);
    expect(await stored(widget)).toHaveLength(1);
    expect(calls(widget, "delete")).toEqual([]);
  });

  test("deletes it from storage and from the usage with deleteOnRemove", async () => {
    const widget = await harness.open({ stowage: { allowDelete: true }, props: { deleteOnRemove: true } });
    await widget.choose(await harness.file("a.txt", "a"));
    await widget.waitForRows("done");
    await widget.button("Remove a.txt").click();
    await expect.poll(() => widget.rows().count()).toBe(0);
    expect(calls(widget, "delete")).toMatchObject([{ status: 200 }]);
    expect(await widget.files()).toEqual([]);
    expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 0, bytes: 0 });
    expect(await widget.recorded("focusLosses")).toEqual([]);
  });

  test("keeps it in the list with the reason if the backend refuses to delete it", async () => {
    const widget = await harness.open({ props: { deleteOnRemove: true } });
    await widget.choose(await harness.file("a.txt", "a"));
    // The announcement of the added file may be part of the same text.
    await expect.poll(async () => (await widget.announced()).at(-1)).toMatch(/1 file uploaded\.$/);
    await widget.button("Remove a.txt").click();
    await widget.row("a.txt").getByText("This file cannot be deleted.").waitFor();
    await widget.waitForAnnouncement("a.txt was not deleted. This file cannot be deleted.");
    expect(await stored(widget)).toHaveLength(1);
  });
});
