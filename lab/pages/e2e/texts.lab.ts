import { aWidgetHarness, type WidgetPage } from "@stowage/e2e/widget/fixtures/a-widget-harness.js";
import { expect, test } from "vitest";

const harness = aWidgetHarness();

/** The sentence of the first failed row. */
async function sentence(widget: WidgetPage): Promise<string> {
  await expect.poll(() => widget.rows("failed").count(), { timeout: 120_000 }).toBeGreaterThan(0);
  return widget.rows("failed").first().locator(".stowage-item-status").innerText();
}

test("storage answers 403", async () => {
  const widget = await harness.open();
  widget.storage.nextPuts(...Array.from({ length: 9 }, () => ({ kind: "responds", status: 403 }) as const));
  await widget.choose(await harness.file("a.txt", "a"));
  const text = await sentence(widget);
  console.log(`“${text}”; before: “The upload was refused. Try again, or choose another file.”`);
  expect(text).toMatch(/^Storage refused the upload/);
});

test("a batch of 131 kB files meets the quota", async () => {
  const widget = await harness.open();
  await harness.backend.setQuota(widget.user, 300_000);
  const files = Array.from({ length: 6 }, (_, index) =>
    harness.file(`${index}.bin`, Buffer.alloc(131_000, index)),
  );
  await widget.choose(...(await Promise.all(files)));
  const text = await sentence(widget);
  await expect.poll(() => widget.rows("failed").count()).toBe(4);
  console.log(`“${text}”; before: “Uploads that were not finished hold 131 kB of your storage.”`);
  for (const row of await widget.rows("failed").all())
    expect(await row.innerText()).toContain("not enough storage left");
});
