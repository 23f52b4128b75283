import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";

const dashboard = aDashboard();

test.each([
  {
    fault: "a low contrast in the light scheme",
    html: `<p style="color: light-dark(#aaa, #fff)">faint</p>`,
    found: { message: /, wide, light/, actual: [/^color-contrast: <p/] },
  },
  {
    fault: "a low contrast in the dark scheme",
    html: `<p style="color: light-dark(#000, #666)">faint</p>`,
    found: { message: /, wide, dark/, actual: [/^color-contrast: <p/] },
  },
  {
    fault: "a low contrast that appears only on a phone",
    html: `<style>.narrow { display: none } @media (width < 500px) { .narrow { display: block } }</style>
      <p class="narrow" style="color: light-dark(#000, #666)">faint</p>`,
    found: { message: /, phone, dark/, actual: [/^color-contrast: <p/] },
  },
  {
    fault: "a button without a name",
    html: `<button style="inline-size: 30px; block-size: 30px"></button>`,
    found: { message: /, wide, light/, actual: [/^button-name: <button/] },
  },
  {
    fault: "a page wider than a phone",
    html: `<p style="min-inline-size: 500px">wide</p>`,
    found: { message: /, phone: scrolls horizontally/, actual: expect.any(Number) as number },
  },
])("expectAccessible detects $fault", async ({ html, found }) => {
  const { page } = await dashboard.aVisitor();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.getByRole("main").evaluate((main, faulty) => main.insertAdjacentHTML("beforeend", faulty), html);
  const actual = Array.isArray(found.actual)
    ? found.actual.map((one) => expect.stringMatching(one) as unknown)
    : found.actual;
  await expect(expectAccessible(page, "faulty")).rejects.toMatchObject({
    message: expect.stringMatching(found.message) as unknown,
    actual,
  });
});
