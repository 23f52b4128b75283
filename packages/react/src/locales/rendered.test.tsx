// @vitest-environment happy-dom
import { ar } from "@stowage/client/locales/ar";
import { de } from "@stowage/client/locales/de";
import { createFakeTransport } from "@stowage/client/testing";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { UploadDropzone } from "../upload-dropzone.js";

afterEach(cleanup);

test("renders every text and number in the language of its messages, and no English", async () => {
  const transport = createFakeTransport();
  transport.failNext("request", "quota_exceeded");
  const { container } = render(
    <UploadDropzone transport={transport} messages={de} accept="image/*" maxSize={1_500_000} maxFiles={3} />,
  );
  expect(screen.getByRole("group", { name: "Dateien hochladen" })).toBeTruthy();
  expect(screen.getByText("Bilder, bis zu 1,5 MB, höchstens 3 Dateien")).toBeTruthy();
  const input = container.querySelector<HTMLInputElement>("input[type=file]");
  const photo = new File(["x"], "foto.jpg", { type: "image/jpeg" });
  await act(async () => void fireEvent.change(input as HTMLInputElement, { target: { files: [photo] } }));
  expect((await screen.findAllByText(/Es ist nicht genug Speicherplatz übrig/)).length).toBeGreaterThan(0);
  expect(screen.getByRole("button", { name: "foto.jpg entfernen" })).toBeTruthy();
  expect(container.textContent).not.toMatch(/\b(the|files?|upload|failed|retry|choose)\b/i);
});

test("formats numbers with the page's own locale if one is given", () => {
  render(<UploadDropzone transport={createFakeTransport()} messages={ar} locale="ar-EG" maxFiles={11} />);
  expect(screen.getByText("بما لا يزيد على ١١ ملفًا")).toBeTruthy();
});
