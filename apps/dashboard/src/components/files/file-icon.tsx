import {
  IconFile,
  IconFileTypePdf,
  IconFileText,
  IconFileZip,
  IconMovie,
  IconMusic,
  IconPhoto,
} from "@tabler/icons-react";
import { type ReactElement, useState } from "react";
import styles from "./file-icon.module.css";
import type { ListedFile } from "./listed-file.js";
import { useThumbnailUrl } from "./thumbnails.js";

/** A box of fixed size with the file's thumbnail, or the icon of its type. Decoration: the name beside it is the text. */
export function FileIcon({ file }: { file: ListedFile }) {
  const url = useThumbnailUrl(file);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  return (
    <span className={styles["box"]} aria-hidden>
      {url === undefined || url === brokenUrl ? (
        iconOf(file.contentType)
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

const look = { size: 16, stroke: 1.6 };
const icons: [pattern: RegExp, icon: ReactElement][] = [
  [/^image\//, <IconPhoto key="image" {...look} />],
  [/^video\//, <IconMovie key="video" {...look} />],
  [/^audio\//, <IconMusic key="audio" {...look} />],
  [/^application\/pdf\b/, <IconFileTypePdf key="pdf" {...look} />],
  [/^text\/|json|xml/, <IconFileText key="text" {...look} />],
  [/zip|tar|compressed|rar/, <IconFileZip key="archive" {...look} />],
];

function iconOf(contentType: string): ReactElement {
  const type = contentType.toLowerCase();
  return icons.find(([pattern]) => pattern.test(type))?.[1] ?? <IconFile {...look} />;
}
