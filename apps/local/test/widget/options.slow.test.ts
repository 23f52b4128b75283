import { describe, expect, test } from "vitest";
import { aStage, type Scene } from "./stage/a-stage.js";
import { sha256 } from "./stage/stored-files.js";

const stage = aStage();

const calls = (scene: Scene, action: string) => scene.app.calls.filter((call) => call.action === action);
const stored = async (scene: Scene) => (await scene.files()).filter(({ status }) => status === "stored");

describe("the page's own judgement", () => {
  test("refuses a file with the page's own words, and lets the others go", async () => {
    const scene = await stage.open({
      inPage: () => ({
        validate: async (file: File) => ((await file.text()).includes("draft") ? "This is a draft." : null),
      }),
    });
    await scene.choose(await stage.file("a.txt", "a draft"), await stage.file("b.txt", "final"));
    await scene.see("failed");
    await scene.see("done");
    expect(await scene.row("a.txt").innerText()).toContain("This is a draft.");
    expect(calls(scene, "request")).toMatchObject([{ body: { filename: "b.txt" } }]);
    expect(await scene.record("events")).toContainEqual({
      event: "failed",
      name: "a.txt",
      what: "file_refused",
    });
  });

  test("sends what the page makes of a file in its place", async () => {
    const scene = await stage.open({
      inPage: () => ({
        transform: async (file: File) => new Blob([(await file.text()).toUpperCase()], { type: file.type }),
      }),
    });
    await scene.choose(await stage.file("a.txt", "loud"));
    await scene.see("done");
    expect(await scene.files()).toMatchObject([
      { filename: "a.txt", status: "stored", contentType: "text/plain", sha256: sha256(Buffer.from("LOUD")) },
    ]);
  });

  test("leaves a file out that is in the list already", async () => {
    const scene = await stage.open({ props: { duplicates: "skip" } });
    const source = await stage.file("a.txt", "a");
    await scene.choose(source);
    await scene.see("done");
    await scene.choose(source, await stage.file("b.txt", "b"));
    await scene.see("done", 2);
    expect((await stored(scene)).map(({ filename }) => filename)).toEqual(["a.txt", "b.txt"]);
  });
});

describe("a route of the helper", () => {
  const routes = { avatar: { accept: "image/*", maxSize: 1000, onComplete: () => ({ shown: true }) } };

  test("tells the page its limits, and holds everybody to them", async () => {
    const scene = await stage.open({ stowage: { routes }, props: { route: "avatar" } });
    await scene.page.getByText("Images, up to 1,000 bytes").waitFor();
    await scene.choose(await stage.file("a.txt", "a"), await stage.file("b.png", "b"));
    await scene.see("failed");
    await scene.see("done");
    expect(calls(scene, "request")).toMatchObject([{ body: { filename: "b.png", route: "avatar" } }]);
    expect(calls(scene, "complete")).toMatchObject([{ status: 200 }]);
  });

  test("refuses by itself what a page lets through that knows no better", async () => {
    const scene = await stage.open({ stowage: { routes }, props: { route: "avatar" } });
    await scene.page.getByText("Images, up to 1,000 bytes").waitFor();
    const refusal = await scene.page.evaluate(async () => {
      const body = { filename: "a.txt", content_type: "text/plain", size: 5, route: "avatar" };
      const headers = { "Content-Type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch("/api/stowage/request", request)).json() as Promise<unknown>;
    });
    expect(refusal).toMatchObject({ code: "file_type_not_accepted" });
  });

  test("whose callback throws says so at once, and is run again when a person tries again", async () => {
    let isBroken = true;
    const onComplete = () => {
      if (isBroken) throw new Error("the database is away");
      return { shown: true };
    };
    const scene = await stage.open({
      stowage: { routes: { avatar: { onComplete } }, onError: () => undefined },
      props: { route: "avatar" },
    });
    await scene.choose(await stage.file("b.png", "b"));
    await scene.see("failed");
    expect(await scene.row("b.png").innerText()).toContain(
      "The file arrived, but could not be processed. Try again.",
    );
    isBroken = false;
    await scene.button("Retry b.png").click();
    await scene.see("done");
    expect(scene.storage.puts).toHaveLength(1);
    expect(await stored(scene)).toHaveLength(1);
  });
});

describe("removing a stored file", () => {
  test("leaves it stored, unless told otherwise", async () => {
    const scene = await stage.open({ stowage: { allowDelete: true } });
    await scene.choose(await stage.file("a.txt", "a"));
    await scene.see("done");
    await scene.button("Remove a.txt").click();
    await expect.poll(() => scene.rows().count()).toBe(0);
    expect(await stored(scene)).toHaveLength(1);
    expect(calls(scene, "delete")).toEqual([]);
  });

  test("deletes it in storage too when told so, and the service counts it no more", async () => {
    const scene = await stage.open({ stowage: { allowDelete: true }, props: { deleteOnRemove: true } });
    await scene.choose(await stage.file("a.txt", "a"));
    await scene.see("done");
    await scene.button("Remove a.txt").click();
    await expect.poll(() => scene.rows().count()).toBe(0);
    expect(calls(scene, "delete")).toMatchObject([{ status: 200 }]);
    expect(await scene.files()).toEqual([]);
    expect(await stage.ledger.usageOf(scene.user)).toEqual({ files: 0, bytes: 0 });
    expect(await scene.record("focusLosses")).toEqual([]);
  });

  test("that the backend refuses to delete stays in the list, with the reason", async () => {
    const scene = await stage.open({ props: { deleteOnRemove: true } });
    await scene.choose(await stage.file("a.txt", "a"));
    await scene.page.waitForFunction(() => window.stage.spoken.at(-1)?.endsWith("1 file uploaded."));
    await scene.button("Remove a.txt").click();
    await scene.row("a.txt").getByText("This file cannot be deleted.").waitFor();
    await scene.hear("a.txt was not deleted. This file cannot be deleted.");
    expect(await stored(scene)).toHaveLength(1);
  });
});
