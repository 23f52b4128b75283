import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { aPng } from "./fixtures/small-files.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();

test("an owner adds image presets, changes one and deletes them, and reads what is wrong with a form", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page } = owner;
  const list = () => owner.calls.presets.list.query({ projectRef: project.ref });
  await page.goto(`/projects/${project.ref}/images`);
  await page.getByText("No image presets").waitFor();

  await page.getByRole("button", { name: "Add preset" }).click();
  const adding = page.getByRole("dialog", { name: "Add an image preset" });
  const name = adding.getByRole("textbox", { name: "Name" });
  const width = adding.getByRole("spinbutton", { name: "Width" });
  await adding.getByRole("img", { name: /^Preview/ }).waitFor();
  await adding.getByText("320 × 240", { exact: true }).waitFor();
  await name.fill("A Thumb");
  await width.fill("99999");
  await adding.getByRole("spinbutton", { name: "Quality" }).fill("");
  await adding.getByRole("button", { name: "Add preset" }).click();
  await adding.getByText("a preset's name has a-z").waitFor();
  await adding.getByText(/^width must be at most/).waitFor();
  await adding.getByText("Enter a whole number.").waitFor();
  await expectAccessible(page, "images-add");
  await name.fill("thumb");
  await width.fill("160");
  await adding.getByRole("radio", { name: "Fill and cut" }).check();
  await adding.getByRole("spinbutton", { name: "Quality" }).fill("60");
  await adding.getByRole("button", { name: "Add preset" }).click();
  await adding.getByText("cover needs width and height").waitFor();
  await adding.getByRole("spinbutton", { name: "Height" }).fill("160");
  await adding.getByRole("switch", { name: /^Make variants as soon/ }).check({ force: true });
  await adding.getByRole("button", { name: "Add preset" }).click();
  await page.getByText("The preset was added.").waitFor();
  await adding.waitFor({ state: "hidden" });
  const thumb = {
    name: "thumb",
    width: 160,
    height: 160,
    fit: "cover",
    format: "auto",
    quality: 60,
    eager: true,
    animated: false,
  };
  expect(await list()).toMatchObject([thumb]);

  await page.getByRole("button", { name: "Add preset" }).click();
  await name.fill("thumb");
  await adding.getByRole("button", { name: "Add preset" }).click();
  await adding.getByText("A preset of this name exists.").waitFor();
  await name.fill("wide");
  await width.fill("1200");
  await adding.getByRole("radio", { name: "JPEG" }).check();
  await adding.getByRole("button", { name: "Add preset" }).click();
  const presets = page.getByRole("table", { name: "Image presets" });
  await presets.getByText("1200 × …").waitFor();
  await adding.waitFor({ state: "hidden" });
  await expectAccessible(page, "images");

  await page.getByRole("button", { name: "Change thumb" }).click();
  const changing = page.getByRole("dialog", { name: "Change the preset thumb" });
  expect(await changing.getByRole("textbox", { name: "Name" }).count()).toBe(0);
  expect(await changing.getByRole("spinbutton", { name: "Height" }).inputValue()).toBe("160");
  await changing.getByRole("spinbutton", { name: "Quality" }).fill("70");
  await changing.getByRole("button", { name: "Save" }).click();
  await page.getByText("The preset was changed.").waitFor();
  await presets.getByText("quality 70").waitFor();
  const wide = {
    name: "wide",
    width: 1200,
    height: null,
    fit: "inside",
    format: "jpeg",
    quality: 80,
    eager: false,
  };
  expect(await list()).toMatchObject([{ ...thumb, quality: 70 }, wide]);

  await page.getByRole("button", { name: "Delete thumb" }).click();
  const deleting = page.getByRole("dialog", { name: "Delete the preset thumb?" });
  await deleting.getByText("Its variants are removed").waitFor();
  await expectAccessible(page, "images-delete");
  await deleting.getByRole("button", { name: "Delete" }).click();
  await presets.getByText("thumb").waitFor({ state: "hidden" });
  expect(await list()).toMatchObject([wide]);
  await page.getByRole("button", { name: "Delete wide" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No image presets").waitFor();
});

test("a viewer reads image presets and changes none", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await owner.calls.presets.save.mutate({ projectRef: project.ref, name: "thumb", width: 320 });
  const { page } = await dashboard.aMember(owner, project, "viewer");
  await page.goto(`/projects/${project.ref}`);
  await page.getByRole("link", { name: "Images" }).click();
  await page.getByText("Only owners of the project can change").waitFor();
  await page.getByRole("table", { name: "Image presets" }).getByText("320 × …").waitFor();
  expect(await page.getByRole("button", { name: /preset|^Change|^Delete/ }).count()).toBe(0);
  await expectAccessible(page, "images-viewer");
});

test("a member sees why an image variant failed, on the page of the file too, and has it made again", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const path = await uploadsTo(dashboard.url, project).store({ filename: "photo.png", bytes: aPng(32, 20) });
  await owner.calls.presets.save.mutate({
    projectRef: project.ref,
    name: "thumb",
    width: 320,
    format: "webp",
  });
  const sql = postgres(inject("stowage").databaseUrl, { max: 1 });
  await sql`
    insert into file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, failure, reason, failures, created_at)
    select f.project_id, f.id, i.hash, f.etag, f.path || ${".webp"}, ${sql.json({ width: 320, height: null, fit: "inside", format: "webp", quality: 80 })},
      'failed', 'memory', 'it needs 600 MB', 16, now()
    from files f join image_presets i on i.project_id = f.project_id where f.path = ${path}`;
  await sql.end();
  const { page } = await dashboard.aMember(owner, project, "member");
  await page.goto(`/projects/${project.ref}/images`);
  await page.getByText("1 failed for a day").waitFor();
  await page.getByText("It needed too much memory.").waitFor();
  await expectAccessible(page, "images-failed");
  await page.getByRole("link", { name: "photo.png" }).click();
  const variants = page.getByRole("region", { name: "Image variants" });
  await variants.getByText("It needed too much memory. Reported: “it needs 600 MB”.").waitFor();
  await expectAccessible(page, "file-variants");
  await variants.getByRole("button", { name: "Try again" }).click();
  await page.getByText("1 variant waits for a worker.").waitFor();
  await variants.getByText(/^Ready|^Waits/).waitFor();
  const viewer = await dashboard.aMember(owner, project, "viewer");
  const refused = viewer.calls.presets.retry.mutate({ projectRef: project.ref });
  await expect(refused).rejects.toThrow("role");
});
