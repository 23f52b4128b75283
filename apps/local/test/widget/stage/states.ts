import type { Scene, SceneOptions, Stage } from "./a-stage.js";
import { bytesOf } from "./bytes-of.js";
import { dragFiles } from "../../fixtures/drag-files.js";

/** Something that a person may see of the widget, and how it comes about. */
export interface State {
  name: string;
  options?: SceneOptions;
  reach(scene: Scene, stage: Stage): Promise<void>;
}

const MIB = 1024 * 1024;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const BUSY = { status: 503, body: { detail: "Busy", code: "unavailable" }, headers: { "Retry-After": "60" } };

const MIXED = { accept: [".pdf", ".txt", "image/*"], maxSize: 1000 };

/** Of everything something: names that are long, the same, or of another direction; ends of every kind. */
async function reachMixed(scene: Scene, stage: Stage): Promise<void> {
  const long =
    "A name so long that it does not fit into one line of the list, whatever the width of the page is.pdf";
  await scene.choose(await stage.file(long, "1"), await stage.file("twin.txt", "2"));
  await scene.see("done", 2);
  scene.storage.hold();
  await scene.choose(
    await stage.file("twin.txt", "3"),
    await stage.file("تقرير.pdf", "4"),
    await stage.file("too-large.pdf", bytesOf("large", 2000)),
    await stage.file("program.exe", "5"),
  );
  await scene.see("uploading", 2);
  await scene.row("twin.txt").locator(".stowage-cancel").click();
  await scene.see("cancelled");
}

export const states: State[] = [
  { name: "idle", reach: () => Promise.resolve() },
  {
    name: "idle-with-limits",
    options: { props: { accept: ["image/*", ".pdf"], maxSize: 5_000_000, maxFiles: 3, label: "Receipts" } },
    reach: () => Promise.resolve(),
  },
  { name: "disabled", options: { props: { disabled: true } }, reach: () => Promise.resolve() },
  {
    name: "drag-over",
    async reach(scene, stage) {
      await dragFiles(scene, scene.root, [await stage.file("a.txt", "a")]);
      await scene.page.locator("[data-state=drag-over]").first().waitFor();
    },
  },
  {
    name: "drag-reject",
    options: { props: { accept: "image/*" } },
    async reach(scene, stage) {
      await dragFiles(scene, scene.root, [await stage.file("a.txt", "a")]);
      await scene.page.locator("[data-state=drag-reject]").first().waitFor();
    },
  },
  {
    name: "requesting-and-queued",
    options: { props: { concurrency: 1 } },
    async reach(scene, stage) {
      scene.app.hold("request");
      await scene.choose(await stage.file("first.txt", "1"), await stage.file("second.txt", "2"));
      await scene.see("requesting");
      await scene.see("queued");
    },
  },
  {
    name: "uploading",
    async reach(scene, stage) {
      const film = await stage.file("Summer in Lisbon.mp4", bytesOf("film", 24 * MIB));
      scene.storage.next({ kind: "stalled", afterBytes: 8 * MIB });
      await scene.choose(film);
      await scene.see("uploading");
      await scene.page.waitForFunction(
        () => Number(document.querySelector("li [role=progressbar]")?.getAttribute("aria-valuenow")) >= 20,
      );
    },
  },
  {
    name: "confirming",
    async reach(scene, stage) {
      scene.app.hold("complete");
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("confirming");
    },
  },
  {
    name: "retrying",
    async reach(scene, stage) {
      scene.app.next("request", BUSY);
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.root.locator("[data-retrying]").waitFor();
    },
  },
  {
    name: "done",
    async reach(scene, stage) {
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("done");
    },
  },
  {
    name: "failed",
    async reach(scene, stage) {
      await stage.ledger.setQuota(scene.user, 1);
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("failed");
    },
  },
  {
    name: "refused",
    options: { props: { accept: "image/*" } },
    async reach(scene, stage) {
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("failed");
    },
  },
  {
    name: "cancelled",
    async reach(scene, stage) {
      scene.storage.hold();
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("uploading");
      await scene.button("Cancel report.pdf").click();
      await scene.see("cancelled");
    },
  },
  {
    name: "mixed",
    options: { props: MIXED },
    reach: reachMixed,
  },
  {
    name: "mixed-in-arabic",
    options: { props: MIXED, words: "ar", lang: "ar" },
    reach: reachMixed,
  },
  {
    name: "mixed-in-german",
    options: { props: MIXED, words: "de", lang: "de" },
    reach: reachMixed,
  },
  {
    name: "waiting-to-be-started",
    options: { inside: { sources: ["folder", "environment"] }, props: { autoStart: false } },
    async reach(scene, stage) {
      await scene.choose(await stage.file("first.txt", "1"), await stage.file("second.txt", "2"));
      await scene.see("queued", 2);
    },
  },
  {
    name: "preparing",
    options: { inPage: () => ({ validate: () => new Promise(() => {}) }) },
    async reach(scene, stage) {
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("preparing");
    },
  },
  {
    name: "offline",
    async reach(scene, stage) {
      scene.storage.hold();
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("uploading");
      await scene.context.setOffline(true);
      scene.storage.cut();
      await scene.page.locator("[data-offline]").waitFor();
      await scene.row("report.pdf").getByText("Waiting").waitFor();
    },
  },
  {
    name: "deleting",
    options: { stowage: { allowDelete: true }, props: { deleteOnRemove: true } },
    async reach(scene, stage) {
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("done");
      scene.app.hold("delete");
      await scene.button("Remove report.pdf").click();
      await scene.see("deleting");
    },
  },
  {
    name: "not-deleted",
    options: { props: { deleteOnRemove: true } },
    async reach(scene, stage) {
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("done");
      await scene.button("Remove report.pdf").click();
      await scene.root.getByText("This file cannot be deleted.").first().waitFor();
    },
  },
  {
    name: "pictures",
    async reach(scene, stage) {
      await scene.choose(await stage.file("dot.png", PNG), await stage.file("not-really.png", "no picture"));
      await scene.see("done", 2);
    },
  },
  {
    name: "more-than-a-page-bears",
    options: { props: { autoStart: false } },
    async reach(scene) {
      await scene.page.evaluate(() => {
        const data = new DataTransfer();
        for (let i = 1; i <= 120; i++) data.items.add(new File([`file ${i}`], `file-${i}.txt`));
        const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
        input.files = data.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      });
      await scene.button("Show 20 more").waitFor();
    },
  },
  {
    name: "form-without-its-file",
    options: { form: true, inside: { field: { name: "document", required: true } } },
    async reach(scene) {
      await scene.page.getByRole("button", { name: "Send" }).click();
      await scene.hear("Choose a file first.");
    },
  },
  {
    name: "form-held",
    options: { form: true, inside: { field: { name: "document" } } },
    async reach(scene, stage) {
      scene.storage.hold();
      await scene.choose(await stage.file("report.pdf", "report"));
      await scene.see("uploading");
      await scene.page.getByRole("button", { name: "Send" }).click();
      await scene.root.getByText("The form will be sent when all files are uploaded.").first().waitFor();
    },
  },
  { name: "button", options: { component: "button" }, reach: () => Promise.resolve() },
  {
    name: "button-uploading-and-failed",
    options: { component: "button", props: { accept: ".pdf" } },
    async reach(scene, stage) {
      scene.storage.hold();
      await scene.choose(await stage.file("report.pdf", "report"), await stage.file("program.exe", "2"));
      await scene.see("failed");
      await scene.trigger.getByText("Uploading").waitFor();
    },
  },
];
