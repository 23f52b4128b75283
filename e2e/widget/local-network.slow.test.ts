import { expect, test } from "vitest";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";

const harness = aWidgetHarness();
/** Playwright answers for it. Chromium takes it for an address of the internet. */
const PUBLIC = "https://app.example.com";

/** Loads the page, and its backend, from a public address. Storage stays on this computer. */
async function moveToPublicAddress({ page, app, user }: WidgetPage) {
  await page.route(`${PUBLIC}/**`, async (route) => {
    const headers = { ...(await route.request().allHeaders()), cookie: `test_user=${user}` };
    const response = await route.fetch({ url: route.request().url().replace(PUBLIC, app.url), headers });
    await route.fulfill({ response });
  });
  await page.goto(PUBLIC);
}

test("a page that may not reach storage in the local network says so, and uploads once it may", async () => {
  // Without it, the helper refuses calls that Playwright passes on, because they have no Sec-Fetch-Site.
  const widget = await harness.open({ stowage: { allowedOrigins: [PUBLIC] } });
  await moveToPublicAddress(widget);
  await widget.choose(await harness.file("a.txt", "hello"));
  await widget
    .row("a.txt")
    .getByText("Your browser does not let this page reach the local network.", { exact: false })
    .waitFor();
  expect(widget.storage.puts).toHaveLength(0);

  await widget.context.grantPermissions(["local-network-access"], { origin: PUBLIC });
  await widget.button("Retry a.txt").click();
  await widget.waitForRows("done");
  expect(await widget.files()).toMatchObject([{ filename: "a.txt", status: "stored", sizeBytes: 5 }]);
});
