import { describe, expect, test } from "vitest";
import { aStage, type Scene } from "./stage/a-stage.js";

const stage = aStage();

const send = (scene: Scene) => scene.page.getByRole("button", { name: "Send" });
const focused = (scene: Scene) =>
  scene.page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    return element?.getAttribute("data-status") ?? element?.textContent ?? null;
  });
const paths = async (scene: Scene) => (await scene.files()).map(({ path }) => path);

describe("in a form", () => {
  test("each stored file is a field with its path", async () => {
    const scene = await stage.open({ form: true, inside: { field: { name: "document" } } });
    await scene.choose(await stage.file("a.txt", "a"), await stage.file("b.txt", "b"));
    await scene.see("done", 2);
    await send(scene).click();
    await expect.poll(() => scene.app.submitted.length).toBe(1);
    expect(scene.app.submitted[0]?.getAll("document").sort()).toEqual((await paths(scene)).sort());
  });

  test("a submit waits until the files are stored, says so, and is sent once with the button that was pressed", async () => {
    const scene = await stage.open({ form: true, inside: { field: { name: "document" } } });
    scene.storage.hold();
    await scene.choose(await stage.file("a.txt", "a"));
    await scene.see("uploading");
    await scene.hear("1 file added.");
    await send(scene).click();
    await scene.hear("The form will be sent when all files are uploaded.");
    expect(scene.app.submitted).toEqual([]);
    scene.storage.release();
    await expect.poll(() => scene.app.submitted.length).toBe(1);
    expect([...(scene.app.submitted[0] ?? [])]).toEqual([
      ["document", (await paths(scene))[0]],
      ["intent", "send"],
    ]);
  });

  test("a submit is not sent when a file fails: the focus goes there, and it is said", async () => {
    const scene = await stage.open({ form: true, inside: { field: { name: "document" } } });
    scene.app.hold("request");
    scene.app.next("request", { status: 403, body: { detail: "Not today", code: "upload_refused" } });
    await scene.choose(await stage.file("a.txt", "a"));
    await scene.hear("1 file added.");
    await send(scene).click();
    await scene.hear("The form will be sent when all files are uploaded.");
    scene.app.release("request");
    await scene.see("failed");
    await scene.hear(
      "a.txt failed. Not today The form was not sent because a file failed. Retry or remove the file, then send the form again.",
    );
    expect(await focused(scene)).toBe("failed");
    expect(scene.app.submitted).toEqual([]);
  });

  test("a required file is asked for: the focus goes to the button, and it is said", async () => {
    const scene = await stage.open({ form: true, inside: { field: { name: "document", required: true } } });
    await send(scene).click();
    await scene.hear("Choose a file first.");
    expect(await focused(scene)).toBe("Choose files");
    expect(scene.app.submitted).toEqual([]);
    await scene.choose(await stage.file("a.txt", "a"));
    await scene.see("done");
    await send(scene).click();
    await expect.poll(() => scene.app.submitted.length).toBe(1);
  });

  test("a reset empties the list, stops what is on its way, and deletes nothing", async () => {
    const scene = await stage.open({
      form: true,
      stowage: { allowDelete: true },
      inside: { field: { name: "document" } },
      props: { deleteOnRemove: true },
    });
    await scene.choose(await stage.file("a.txt", "a"));
    await scene.see("done");
    scene.storage.hold();
    await scene.choose(await stage.file("b.txt", "b"));
    await scene.see("uploading");
    await scene.page.getByRole("button", { name: "Start over" }).click();
    await expect.poll(() => scene.rows().count()).toBe(0);
    await send(scene).click();
    await expect.poll(() => scene.app.submitted.length).toBe(1);
    expect([...(scene.app.submitted[0] ?? [])]).toEqual([["intent", "send"]]);
    expect((await scene.files()).map(({ filename, status }) => [filename, status])).toEqual([
      ["a.txt", "stored"],
      ["b.txt", "pending"],
    ]);
  });
});
