import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";

/** The root element of the one widget on the page. */
export const group = () => screen.getByRole("group");

/** Chooses files as the file picker does. */
export function choose(...files: File[]) {
  const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
  fireEvent.change(input, { target: { files } });
}

export const rowsOf = (status: string) =>
  Array.from(group().querySelectorAll<HTMLElement>(`li[data-status=${status}]`));

export const waitForRows = (status: string, count = 1) =>
  waitFor(() => expect(rowsOf(status)).toHaveLength(count));

/** An item of the DataTransfer of a drop. */
export const aDropped = (name: string) => ({
  kind: "file",
  type: "image/jpeg",
  getAsFile: () => aFile(name),
});
