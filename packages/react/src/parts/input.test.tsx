// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Backend, startBackend } from "@stowage/client-fixtures/backend";
import { aFile } from "@stowage/client-fixtures/runtime";
import { choose, waitForRows } from "../../test/rendered-widget.js";
import * as Upload from "./index.js";

let backend: Backend;
let submitted: [string, unknown][][];
beforeEach(async () => {
  backend = await startBackend();
  submitted = [];
});
afterEach(() => {
  cleanup();
  backend.close();
});

function renderForm(options: { autoStart?: boolean } = {}) {
  render(
    <StrictMode>
      <form
        aria-label="Form"
        onSubmit={(event) => {
          event.preventDefault();
          submitted.push([...new FormData(event.currentTarget)]);
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

test("refuses to submit without a file, shows why in the hint, and focuses the button", async () => {
  renderForm();
  expect(form().checkValidity()).toBe(false);
  send();
  expect(submitted).toEqual([]);
  await screen.findByText("Choose a file first.", { selector: "p > span" });
  const trigger = screen.getByRole("button", { name: "Choose files" });
  await waitFor(() => expect(document.activeElement).toBe(trigger));
  expect(document.getElementById(trigger.getAttribute("aria-describedby")!)?.textContent).toBe(
    "Choose a file first.",
  );
});

test("submits the paths of the stored files under its name", async () => {
  renderForm();
  choose(aFile("a.jpg"), aFile("b.jpg"));
  await waitForRows("done", 2);
  send();
  expect(submitted).toHaveLength(1);
  expect(submitted[0]?.map(([name]) => name)).toEqual(["docs", "docs"]);
  expect(new Set(submitted[0]?.map(([, path]) => path))).toEqual(new Set(backend.stored.keys()));
});

test("holds a submit until the files are done, and submits once", async () => {
  renderForm();
  choose(aFile("a.jpg", 300_000));
  await waitFor(() => expect(form().querySelectorAll("li")).toHaveLength(1));
  send();
  send();
  expect(submitted).toEqual([]);
  await waitFor(() => expect(submitted).toHaveLength(1));
  expect(submitted[0]?.map(([name]) => name)).toEqual(["docs"]);
});

test("does not submit a held form when a file failed, and focuses that file", async () => {
  backend.nextAnswers.request.push({ status: 403, body: { detail: "No", code: "quota_exceeded" } });
  // The submit starts the upload, so the submit is held before the upload can fail.
  renderForm({ autoStart: false });
  choose(aFile("a.jpg"));
  await waitFor(() => expect(form().querySelectorAll("li")).toHaveLength(1));
  send();
  await waitForRows("failed");
  await screen.findByText(
    "The form was not sent because a file failed. Retry or remove the file, then send the form again.",
    { selector: "p > span" },
  );
  expect(submitted).toEqual([]);
  expect(document.activeElement).toBe(form().querySelector("li[data-status=failed]"));
  await waitFor(() =>
    expect(screen.getByRole("status").textContent).toMatch(
      /^(a\.jpg added\. )?(.*\. )?a\.jpg failed\. .* The form was not sent because a file failed\. Retry or remove .*\.$/,
    ),
  );
});

test("a reset empties the list and drops a held submit", async () => {
  backend.nextAnswers.put.push("hang");
  renderForm();
  choose(aFile("a.jpg"));
  await waitForRows("uploading");
  send();
  fireEvent.click(screen.getByRole("button", { name: "Reset" }));
  await waitFor(() => expect(form().querySelectorAll("li")).toHaveLength(0));
  expect(submitted).toEqual([]);
  expect(form().checkValidity()).toBe(false);
});

test("keeps the files when the form is left after a held submit that was given up", async () => {
  backend.nextAnswers.request.push({ status: 403, body: { detail: "No", code: "quota_exceeded" } });
  renderForm({ autoStart: false });
  choose(aFile("a.jpg"));
  await waitFor(() => expect(form().querySelectorAll("li")).toHaveLength(1));
  send();
  await waitForRows("failed");
  cleanup();
  renderForm({ autoStart: false });
  await waitForRows("failed");
  expect(submitted).toEqual([]);
});

test("keeps the files when the form is left, and drops them when the form was sent before", async () => {
  renderForm();
  choose(aFile("a.jpg"));
  await waitForRows("done");
  cleanup();
  renderForm();
  await waitForRows("done");
  send();
  expect(submitted).toHaveLength(1);
  cleanup();
  renderForm();
  await waitFor(() => expect(screen.queryByRole("list")).toBeNull());
});
