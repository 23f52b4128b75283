import {
  type Icon,
  IconFile,
  IconFileTypePdf,
  IconFileText,
  IconFileZip,
  IconMovie,
  IconMusic,
  IconPhoto,
} from "@tabler/icons-react";
import { useState } from "react";
import styles from "./file-icon.module.css";
import type { ListedFile } from "./file-name.js";
import { useThumbnailUrl } from "./thumbnails.js";

/** A box of fixed size with the file's thumbnail, or the icon of its type. Decoration: the name beside it is the text. */
export function FileIcon({ file }: { file: ListedFile }) {
  const url = useThumbnailUrl(file);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const TypeIcon = iconOf(file.contentType);
  return (
    <span className={styles["box"]} aria-hidden>
      {url === undefined || url === brokenUrl ? (
        <TypeIcon size={16} stroke={1.6} />
      ) : (
        <img
          src={url}
          alt=""
          width={28}
          height={28}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBrokenUrl(url)}
        />
      )}
    </span>
  );
}

const icons: [pattern: RegExp, icon: Icon][] = [
  [/^image\//, IconPhoto],
  [/^video\//, IconMovie],
  [/^audio\//, IconMusic],
  [/^application\/pdf\b/, IconFileTypePdf],
  [/^text\/|json|xml/, IconFileText],
  [/zip|tar|compressed|gzip|rar/, IconFileZip],
];

function iconOf(contentType: string): Icon {
  return icons.find(([pattern]) => pattern.test(contentType.toLowerCase()))?.[1] ?? IconFile;
}
