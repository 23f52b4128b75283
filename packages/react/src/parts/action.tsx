"use client";

import type { ButtonHTMLAttributes } from "react";
import { type UploadAction as Action, useStanding } from "./upload-context.js";

export type ActionProps = ButtonHTMLAttributes<HTMLButtonElement>;

/** A button that is there while it can do something; of a file, it is named with it. */
export function UploadAction({ action, children, ...props }: ActionProps & { action: Action }) {
  const { can, labels, name } = useStanding();
  const act = can[action];
  const label = labels[action];
  const text = typeof label === "string" ? label : label(name);
  // What stands in it may be a sign: its name is its label all the same.
  const nameOfSign = children ? text : undefined;
  return act ? (
    <button
      type="button"
      data-part={action}
      aria-label={nameOfSign}
      title={nameOfSign}
      {...props}
      onClick={() => act()}
    >
      {children ?? text}
    </button>
  ) : null;
}
