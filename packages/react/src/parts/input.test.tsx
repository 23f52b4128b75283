// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Backend, startBackend } from "../../test/backend.js";
import { aFile } from "../../test/runtime.js";
import * as Upload from "./index.js";

let backend: Backend;
let sent: [string, unknown][][];
beforeEach(async () => {
  backend = await startBackend();
  sent = [];
});
afterEach(() => {
  cleanup();
  backend.close();
});

function draw(options: { autoStart?: boolean } = {}) {
  render(
    <StrictMode>
      <form
        aria-label="Form"
        onSubmit={(event) => {
          event.preventDefault();
          sent.push([...new FormData(event.currentTarget)]);
        }}
      >
        <Upload.Root endpoint={backend.endpoint} {...options}>
          <Upload.Trigger />
          <Upload.Hint />
          <Upload.List />
          <Upload.Input name="docs" required />
        </Upload.Root>
        <button type="submit">Send</button>
        <button type="reset">Reset</button>
      </form>
    </StrictMode>,
  );
}
const form = () => screen.getByRole<HTMLFormElement>("form");
const send = () => fireEvent.click(screen.getByRole("button", { name: "Send" }));
const choose = (...files: File[]) =>
  fireEvent.change(form().querySelector<HTMLInputElement>("input[type=file]")!, { target: { files } });
const seen = (status: string, count = 1) =>
  waitFor(() => expect(form().querySelectorAll(`li[data-status=${status}]`)).toHaveLength(count));

it("refuses to be sent without a file, says so where people look, and leads to the button", async () => {
  draw();
  expect(form().checkValidity()).toBe(false);
  send();
  expect(sent).toEqual([]);
  await screen.findByText("Choose a file first.", { selector: "p" });
  const trigger = screen.getByRole("button", { name: "Choose files" });
  await waitFor(() => expect(document.activeElement).toBe(trigger));
  expect(document.getElementById(trigger.getAttribute("aria-describedby")!)?.textContent).toBe(
    "Choose a file first.",
  );
});

it("sends the paths of the stored files under its name", async () => {
  draw();
  choose(aFile("a.jpg"), aFile("b.jpg"));
  await seen("done", 2);
  send();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.map(([name]) => name)).toEqual(["docs", "docs"]);
  expect(new Set(sent[0]?.map(([, path]) => path))).toEqual(new Set(backend.stored.keys()));
});

it("holds a submit until the files are done, and sends it once", async () => {
  draw();
  choose(aFile("a.jpg", 300_000));
  await waitFor(() => expect(form().querySelectorAll("li")).toHaveLength(1));
  send();
  send();
  expect(sent).toEqual([]);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.map(([name]) => name)).toEqual(["docs"]);
});

it("does not send a held form when a file failed, and leads to that file", async () => {
  backend.nextAnswers.request.push({ status: 403, body: { detail: "No", code: "quota_exceeded" } });
  // Started by the submit, so that it is held before anything can fail.
  draw({ autoStart: false });
  choose(aFile("a.jpg"));
  await waitFor(() => expect(form().querySelectorAll("li")).toHaveLength(1));
  send();
  await seen("failed");
  await screen.findByText("The form was not sent, because a file failed.", { selector: "p" });
  expect(sent).toEqual([]);
  expect(document.activeElement).toBe(form().querySelector("li[data-status=failed]"));
  await waitFor(() =>
    expect(screen.getByRole("status").textContent).toMatch(
      /^(a\.jpg added\. )?(.*\. )?a\.jpg failed\. .* The form was not sent, because a file failed\.$/,
    ),
  );
});

it("is emptied by a reset, and a held submit is forgotten", async () => {
  backend.nextAnswers.put.push("hang");
  draw();
  choose(aFile("a.jpg"));
  await seen("uploading");
  send();
  fireEvent.click(screen.getByRole("button", { name: "Reset" }));
  await waitFor(() => expect(form().querySelectorAll("li")).toHaveLength(0));
  expect(sent).toEqual([]);
  expect(form().checkValidity()).toBe(false);
});
