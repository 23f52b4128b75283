import { expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";

const harness = aWidgetHarness();

/** Chooses files that the page creates itself, named `first-1.txt` and so on, and these others. */
async function chooseMany(
  widget: WidgetPage,
  name: string,
  count: number,
  ...others: string[]
): Promise<void> {
  await widget.page.evaluate(
    ([name, count, others]) => {
      const data = new DataTransfer();
      for (let i = 1; i <= count; i++) data.items.add(new File([`${name} ${i}`], `${name}-${i}.txt`));
      for (const other of others) data.items.add(new File(["x"], other));
      const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
      input.files = data.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    [name, count, others] as const,
  );
}

const namesOf = (widget: WidgetPage) => widget.rows().locator(".stowage-name").allInnerTexts();
/** Whether the whole row is visible in the list, but for the rounding of heights. */
const isInView = (widget: WidgetPage, name: string) =>
  widget.page.evaluate((name) => {
    const row = Array.from(document.querySelectorAll("li[data-id]")).find((li) =>
      li.textContent.includes(name),
    );
    const list = document.querySelector("ul[role=list]")!.getBoundingClientRect();
    const box = row?.getBoundingClientRect();
    return box !== undefined && box.top >= list.top - 8 && box.bottom <= list.bottom + 8;
  }, name);

/** Keeps the browser's scroll events from the page, as if it were busy. @returns a function that tells the page of the last one */
async function withoutScrollEvents(widget: WidgetPage): Promise<() => Promise<void>> {
  await widget.page.evaluate(() => {
    const stop = (event: Event) => {
      if (event.isTrusted) event.stopImmediatePropagation();
    };
    addEventListener("scroll", stop, { capture: true });
  });
  const list = widget.root.getByRole("list");
  return () => list.evaluate((list) => void list.dispatchEvent(new Event("scroll")));
}

test("of 300 files, the list scrolls in its box and the progress of all files stays in view", async () => {
  const widget = await harness.open();
  widget.storage.hold();
  await chooseMany(widget, "first", 300);
  await widget.waitForAnnouncement("300 files added.");
  // How many depends on the service: a busy one is asked for one file at a time.
  await widget.rows("uploading").first().waitFor();
  await expect.poll(() => widget.rows().count()).toBeLessThan(50);

  const cancelAll = widget.button("Cancel all");
  const bottom = () => cancelAll.evaluate((button) => button.getBoundingClientRect().bottom);
  await expect.poll(bottom).toBeLessThanOrEqual(720);
  const pageHeight = () => widget.page.evaluate(() => document.documentElement.scrollHeight);
  await expect.poll(pageHeight).toBeLessThan(1000);
  await expect
    .poll(async () => (await namesOf(widget)).slice(0, 6))
    .toEqual([1, 2, 3, 4, 5, 6].map((file) => `first-${file}.txt`));
  await cancelAll.click();
  await expect.poll(() => cancelAll.count()).toBe(0);
});

test("of 300 files, those on their way and the failed ones come first, until the pointer rests on the list", async () => {
  const widget = await harness.open({ props: { concurrency: 2, accept: ".txt" } });
  widget.app.hold("complete");
  await chooseMany(widget, "first", 300, "program.exe");
  await widget.waitForRows("confirming", 4);
  await widget.waitForRows("failed", 1);
  await expect
    .poll(async () => (await namesOf(widget)).slice(0, 5))
    .toEqual(["first-1.txt", "first-2.txt", "first-3.txt", "first-4.txt", "program.exe"]);
  await widget.root.locator(".stowage-summary-text", { hasText: "1 failed" }).waitFor();

  await widget.root.getByRole("list").hover();
  const before = await namesOf(widget);
  widget.app.releaseWaiting("complete");
  await widget.waitForRows("done", 4);
  expect(await namesOf(widget)).toEqual(before);
  await widget.page.mouse.move(0, 0);
  await expect.poll(async () => (await namesOf(widget)).includes("first-1.txt")).toBe(false);
});

test("a tap on a touch screen holds the rows only for a moment, although the browser keeps the list hovered", async () => {
  const widget = await harness.open({ props: { concurrency: 2 } });
  widget.app.hold("complete");
  await chooseMany(widget, "first", 300);
  await widget.waitForRows("confirming", 4);
  const list = widget.root.getByRole("list");
  const { x, y } = (await list.locator("[data-id] .stowage-name").first().boundingBox())!;
  await widget.devTools.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const touchPoints = [{ x: x + 4, y: y + 4 }];
  await widget.devTools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await widget.devTools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect.poll(() => list.evaluate((element) => element.matches(":hover"))).toBe(true);
  widget.app.releaseWaiting("complete");
  await expect.poll(async () => (await namesOf(widget)).includes("first-1.txt")).toBe(false);
});

test("a second batch is scrolled into view and announced", async () => {
  const widget = await harness.open({ props: { autoStart: false } });
  await chooseMany(widget, "first", 300);
  await widget.waitForAnnouncement("300 files added.");
  await expect.poll(() => widget.rows().count()).toBeLessThan(50);
  await expect.poll(() => isInView(widget, "first-1.txt")).toBe(true);
  await chooseMany(widget, "second", 20);
  await widget.waitForAnnouncement("20 files added.");
  await expect.poll(() => isInView(widget, "second-1.txt")).toBe(true);
});

test("with the keyboard, Tab reaches the rows that are not rendered yet, and a focused row that is scrolled away keeps the focus", async () => {
  const widget = await harness.open({ props: { autoStart: false } });
  await chooseMany(widget, "first", 300);
  await widget.waitForAnnouncement("300 files added.");
  await expect.poll(() => widget.rows().count()).toBeLessThan(50);
  await widget.button("Cancel first-1.txt").focus();
  const focused = () => widget.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  const hearsOfScrolling = await withoutScrollEvents(widget);
  for (let number = 2; number <= 41; number++) {
    await widget.page.keyboard.press("Tab");
    expect(await focused()).toBe(`Cancel first-${number}.txt`);
  }
  expect(await isInView(widget, "first-41.txt")).toBe(true);
  const row = widget.row("first-41.txt");
  expect([await row.getAttribute("aria-posinset"), await row.getAttribute("aria-setsize")]).toEqual([
    "41",
    "300",
  ]);

  await widget.root.getByRole("list").evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await hearsOfScrolling();
  await widget.root.locator("[aria-posinset='300']").waitFor();
  expect(await focused()).toBe("Cancel first-41.txt");
  await widget.page.keyboard.press("Tab");
  expect(await focused()).toBe("Cancel first-42.txt");
  await widget.page.keyboard.press("Enter");
  await expect.poll(focused).toBe(null);
  expect(await widget.page.evaluate(() => document.activeElement?.textContent)).toContain("first-42.txt");
  expect(await widget.recorded("focusLosses")).toEqual([]);
});

test("if the code for long lists cannot be loaded, every row is rendered", async () => {
  const widget = await harness.open({ props: { autoStart: false } });
  await widget.page.route(/row-window/, (route) => route.abort("connectionfailed"));
  await chooseMany(widget, "first", 150);
  await expect.poll(() => widget.rows().count()).toBe(150);
});
