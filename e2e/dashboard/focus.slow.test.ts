import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { freePort } from "@stowage/dev-postgres";
import { startProvider } from "@stowage/oidc-provider";
import type { Locator, Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { aDashboard, PASSWORD } from "./fixtures/a-dashboard.js";
import { aNewService } from "./fixtures/a-new-service.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const ENDPOINT = "https://example.com/hooks";

interface DialogCase {
  /** The component that shows it, below `features/` or `shell/`. */
  source: string;
  path: string;
  opener: string | RegExp;
  /** Shows the opener. */
  prepare?: (page: Page) => Promise<void>;
  role?: "menu";
  /** Opens it by a shortcut, while the opener only has the focus. */
  shortcut?: string;
}

const select = (filename: string) => async (page: Page) => {
  await page.getByRole("row").filter({ hasText: filename }).getByRole("checkbox").check();
};

/**
 * The dialogs and menus of an installation without a provider of OpenID Connect. `:project` stands for a project with a stored file, an
 * upload, an image preset, a plan, a webhook endpoint and a viewer. The stored file has a share link and a version.
 */
const dialogs: DialogCase[] = [
  { source: "shell/account-menu-items.tsx", path: "/", opener: /^Account of/, role: "menu" },
  { source: "shell/command-palette.tsx", path: "/", opener: /^Account of/, shortcut: "Control+k" },
  { source: "shell/shortcuts-dialog.tsx", path: "/", opener: /^Account of/, shortcut: "?" },
  { source: "features/projects/create-project.tsx", path: "/", opener: "New project" },
  { source: "features/operators/end-sessions.tsx", path: "/operators", opener: /^End all sessions of Grace/ },
  { source: "features/account/two-factor.tsx", path: "/account", opener: "Set up" },
  { source: "features/account/sessions.tsx", path: "/account", opener: "End all other sessions" },
  {
    source: "features/files/delete-dialog.tsx",
    path: ":project/files",
    opener: "Delete 1 file",
    prepare: select("stored.txt"),
  },
  {
    source: "features/files/discard-dialog.tsx",
    path: ":project/files",
    opener: "Discard 1 upload",
    prepare: select("pending.txt"),
  },
  {
    source: "features/files/release-dialog.tsx",
    path: ":project/files/quarantine",
    opener: "Release infected.txt",
  },
  ...(
    [
      ["update-dialog", "Rename or move"],
      ["visibility-action", "Make public"],
      ["create-share-link", "Create a link"],
      ["share-links", /^Revoke the link of/],
      ["file-versions", /^Restore old.txt/],
    ] as const
  ).map(([file, opener]) => ({
    source: `features/files/${file}.tsx`,
    path: ":project/files",
    opener,
    prepare: (page: Page) => page.getByRole("link", { name: "stored.txt" }).click(),
  })),
  { source: "features/images/save-preset.tsx", path: ":project/images", opener: "Add preset" },
  { source: "features/images/delete-preset.tsx", path: ":project/images", opener: "Delete thumb" },
  { source: "features/webhooks/add-endpoint.tsx", path: ":project/webhooks", opener: "Add endpoint" },
  ...(
    [
      ["change-endpoint", "Change"],
      ["rotate-secret", "Rotate secret"],
      ["delete-endpoint", "Delete"],
      ["redeliver-since", "Redeliver since…"],
      ["endpoint-details", "Disable"],
      ["delivery-dialog", "Send a test"],
    ] as const
  ).map(([file, opener]) => ({
    source: `features/webhooks/${file}.tsx`,
    path: ":project/webhooks",
    opener,
    prepare: (page: Page) => page.getByRole("link", { name: ENDPOINT }).click(),
  })),
  { source: "features/tenants/limits-dialog.tsx", path: ":project/tenants/user_1", opener: "Set limits" },
  { source: "features/tenants/delete-tenant.tsx", path: ":project/tenants/user_1", opener: "Delete tenant" },
  { source: "features/projects/key-page.tsx", path: ":project/key", opener: "Regenerate key" },
  { source: "features/members/invite-dialog.tsx", path: ":project/members", opener: "Invite member" },
  { source: "features/members/remove-member-dialog.tsx", path: ":project/members", opener: /^Remove Grace/ },
  { source: "features/projects/plans/save-plan.tsx", path: ":project/settings", opener: "Add plan" },
  {
    source: "features/projects/plans/delete-plan.tsx",
    path: ":project/settings",
    opener: /^Delete the plan/,
  },
  { source: "features/projects/delete-project.tsx", path: ":project/settings", opener: "Delete project" },
];

/** The dialog of an installation with a provider of OpenID Connect. */
const oidcDialog: DialogCase = {
  source: "features/account/sign-in-service.tsx",
  path: "/account",
  opener: "Connect",
};

test("each dialog and menu is in the list of these tests", () => {
  const source = join(
    dirname(createRequire(import.meta.url).resolve("@stowage/dashboard/package.json")),
    "src",
  );
  const files = ["features", "shell"].flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(folder, name),
    ),
  );
  const isDialog = /<(Dialog|ConfirmDialog|ConfirmByNameDialog|DeleteSection|Modal|Drawer|Menu|Spotlight)\b/;
  const withDialog = files.filter(
    (name) => name.endsWith(".tsx") && isDialog.test(readFileSync(join(source, name), "utf8")),
  );
  expect([...dialogs, oidcDialog].map((each) => each.source).toSorted()).toEqual(withDialog.toSorted());
});

test("the focus returns to the opener of each dialog and menu when it is closed for the first time", async () => {
  const { page, project } = await aFullProject();
  const returned: Record<string, boolean> = {};
  for (const each of dialogs) returned[each.source] = await doesFocusReturn(page, each, project.ref);
  expect(returned).toEqual(Object.fromEntries(dialogs.map(({ source }) => [source, true])));
});

test("the focus returns to the opener of the dialog that connects an account with a provider", async () => {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const provider = await startProvider({ redirectUri: `${address}/auth/callback/oidc` });
  const service = await aNewService({
    PORT: String(port),
    DASHBOARD_URL: address,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  });
  const { page } = await dashboard.aVisitor(address);
  await page.goto(service.setupUrl);
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).waitFor();
  expect(await doesFocusReturn(page, oidcDialog)).toBe(true);
  await provider.close();
});

test("after the last step of a deletion the focus is in the next row, or at the heading", async () => {
  const { page, owner, project } = await aFullProject();
  await dashboard.aMember(owner, project, "viewer");
  await page.goto(`/projects/${project.ref}/members`);
  const remove = page.getByRole("button", { name: /^Remove Grace/ });
  await expect.poll(() => remove.count()).toBe(2);
  await remove.first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => remove.count()).toBe(1);
  await expectFocus(page, /^Remove Grace/);

  await page.goto(`/projects/${project.ref}/files`);
  await select("stored.txt")(page);
  await page.getByRole("button", { name: "Delete 1 file" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Move 1 file to the trash" }).click();
  await page.getByText("stored.txt").first().waitFor({ state: "hidden" });
  await expectFocus(page, /^Files$/);
});

/** A project with a stored file, a pending upload, an image preset, a webhook endpoint and a viewer. Its owner, an administrator, is signed in twice. */
async function aFullProject() {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner, { trashDays: 7, maxVersions: 1 });
  await dashboard.aMember(owner, project, "viewer");
  await dashboard.signIn((await dashboard.aVisitor()).context, inject("stowage").operator);
  const uploads = uploadsTo(dashboard.url, project);
  const replaces = await uploads.store({ filename: "old.txt" });
  const filePath = await uploads.store({ filename: "stored.txt", replaces });
  await uploads.request({ filename: "pending.txt" });
  const { presets, webhooks, settings } = owner.calls;
  await presets.save.mutate({ projectRef: project.ref, name: "thumb", width: 320 });
  await owner.calls.links.create.mutate({ projectRef: project.ref, filePath });
  await owner.calls.plans.save.mutate({ projectRef: project.ref, name: "pro", maxFiles: 10 });
  await webhooks.create.mutate({ projectRef: project.ref, url: ENDPOINT, events: ["file.stored"] });
  await settings.update.mutate({ projectRef: project.ref, scan: "external" });
  await uploads.reportScan(await uploads.store({ filename: "infected.txt" }), "infected");
  return { owner, page: owner.page, project };
}

/** Opens a dialog and closes it by Escape. */
async function doesFocusReturn(page: Page, dialog: DialogCase, projectRef = ""): Promise<boolean> {
  const { path, opener, prepare, role = "dialog", shortcut } = dialog;
  await page.goto(path.replace(":project", `/projects/${projectRef}`));
  await prepare?.(page);
  const button = page
    .getByRole("main")
    .or(page.getByRole("banner"))
    .getByRole("button", { name: opener, exact: true })
    .first();
  const opened = page.getByRole(role);
  // A press can miss a button that moves because its page still loads.
  await expect
    .poll(
      async () => {
        if (await opened.isVisible()) return true;
        await (shortcut === undefined ? button.click() : button.press(shortcut));
        return isVisibleSoon(opened);
      },
      { message: `${dialog.source} opens` },
    )
    .toBe(true);
  await expectFocusInside(opened);
  await page.keyboard.press("Escape");
  await opened.waitFor({ state: "hidden" });
  return hasFocusSoon(button);
}

const isVisibleSoon = (dialog: Locator) =>
  dialog.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );

/** The focus returns in a frame after the last one that shows the dialog. */
const hasFocusSoon = (button: Locator) =>
  expect
    .poll(() => button.evaluate((element) => element === document.activeElement))
    .toBe(true)
    .then(
      () => true,
      () => false,
    );

const expectFocusInside = (dialog: Locator) =>
  expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);

/** Expects that the element with the focus has this label or text. */
const expectFocus = (page: Page, name: RegExp) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const focused = document.activeElement as HTMLElement;
        return focused.ariaLabel ?? focused.innerText;
      }),
    )
    .toMatch(name);
