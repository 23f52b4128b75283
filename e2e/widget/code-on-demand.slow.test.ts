import { expect, test } from "vitest";
import { aWidgetHarness } from "./fixtures/a-widget-harness.js";

const harness = aWidgetHarness();

/** What a page loads after the first view: sending, calls of the helper, and rows. */
const LATER_CODE = /\/(uploads|http-calls|styled-files)-/;

test("a file that is chosen before the code can be loaded is listed, and is stored once it can", async () => {
  const widget = await harness.open({ withoutCode: LATER_CODE });
  await widget.choose(await harness.file("early.txt", "early"));
  await widget.root.getByRole("listitem").getByText("early.txt").waitFor();
  // Announcements are part of the first view. This one also says that the server is not reached.
  const announced = async () => (await widget.announced()).join(" ");
  await expect.poll(announced).toContain("1 file added.");
  expect(widget.app.calls).toEqual([]);
  await widget.page.unrouteAll();
  await widget.waitForRows("done");
  expect(await widget.files()).toMatchObject([{ filename: "early.txt", status: "stored" }]);
  await expect.poll(announced).toContain("1 file uploaded.");
});

test("a file whose code does not come fails with the reason, and is stored when a person retries it", async () => {
  const widget = await harness.open({ withoutCode: /\/uploads-/ });
  await widget.choose(await harness.file("a.txt", "a"));
  await widget.waitForRows("failed");
  await widget.rows("failed").getByText("The server cannot be reached.").waitFor();
  await widget.page.unrouteAll();
  await widget.button("Retry a.txt").click();
  await widget.waitForRows("done");
  expect(await widget.files()).toMatchObject([{ filename: "a.txt", status: "stored" }]);
});

test("a row whose code does not come names the file and the reason of its failure", async () => {
  const widget = await harness.open({ withoutCode: /\/(uploads|styled-files)-/ });
  await widget.choose(await harness.file("a.txt", "a"));
  await widget.waitForRows("failed");
  await expect.poll(() => widget.row("a.txt").innerText()).toContain("The server cannot be reached.");
});

test("the code is there before a person chooses a file, so the page needs no network for it later", async () => {
  const widget = await harness.open();
  await widget.page.waitForLoadState("networkidle");
  await widget.page.route(LATER_CODE, (route) => route.abort("connectionfailed"));
  await widget.choose(await harness.file("a.txt", "a"));
  await widget.waitForRows("done");
  expect(widget.consoleErrors).toEqual([]);
});
