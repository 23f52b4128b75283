"use client";

import { canPreview } from "@stowage/client/internals/list";
import { type ImgHTMLAttributes, type ReactNode, useEffect, useRef, useState } from "react";
import { useFileView } from "./item-view.js";

/** The attributes of the picture, and what is shown in its place. */
export interface UploadPreviewProps extends ImgHTMLAttributes<HTMLImageElement> {
  /** Shown for other files, and for images that the browser cannot display. */
  fallback?: ReactNode;
}

/** A preview of an image file, loaded when it scrolls into view. Its `alt` is empty, because the name is beside it. */
// The type of the result is written down: an inferred one would name members of React 19 that React 18 does not have.
export function UploadPreview({ fallback = null, ...props }: UploadPreviewProps): ReactNode {
  const { file } = useFileView().item;
  const image = useRef<HTMLImageElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (!image.current) {
      return;
    }
    const url = URL.createObjectURL(file);
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return !isBroken && canPreview(file) ? (
    <img ref={image} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} {...props} />
  ) : typeof fallback === "object" ? (
    fallback
  ) : (
    // A translator puts another node in the place of a bare text, which React could not remove.
    <span>{fallback}</span>
  );
}
