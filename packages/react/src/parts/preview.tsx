"use client";

import { type ImgHTMLAttributes, type ReactNode, useEffect, useRef, useState } from "react";
import { useItem } from "./upload-context.js";

export interface UploadPreviewProps extends ImgHTMLAttributes<HTMLImageElement> {
  /** In place of an image: for other files, and for images that the browser cannot show. */
  fallback?: ReactNode;
}

/** A small picture of an image file, read when it comes into sight. Its name stands beside it, so it has none. */
export function UploadPreview({ fallback = null, ...props }: UploadPreviewProps) {
  const { file } = useItem().item;
  const image = useRef<HTMLImageElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (!image.current) return;
    const url = (image.current.src = URL.createObjectURL(file));
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return !isBroken && /^image\/(avif|bmp|gif|jpeg|png|webp)$/.test(file.type) ? (
    <img ref={image} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} {...props} />
  ) : (
    fallback
  );
}
