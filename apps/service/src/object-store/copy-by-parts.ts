import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
} from "@aws-sdk/client-s3";
import { type CopyEnds, type CopyKeys, type CopyWay, headersOf, limited, place } from "./copy-ends.js";
import { encryptionInput } from "./encryption.js";
import type { StoredObject } from "./object-store.js";

/** How many parts an object was uploaded by, as its ETag says. 0: by a single PUT. */
export const partsOf = ({ etag }: StoredObject): number => Number(/-(\d+)$/.exec(etag)?.[1] ?? 0);

/** Copies an object by the same parts, because its ETag depends on them. @returns the ETag of the copy */
export async function copyByParts(
  { source, target, reader, writer }: CopyEnds,
  copyPart: CopyWay["copyPart"],
  {
    from,
    to,
    object,
    parts,
    partSizeBytes,
  }: CopyKeys & { object: StoredObject; parts: number; partSizeBytes: number | null },
): Promise<string | undefined> {
  const { etag, sizeBytes } = object;
  const size = partSizeOf(sizeBytes, parts, partSizeBytes);
  const found = await limited((http) =>
    reader.send(new HeadObjectCommand({ ...place(source, from), IfMatch: `"${etag}"` }), http),
  );
  const { UploadId } = await limited((http) =>
    writer.send(
      new CreateMultipartUploadCommand({
        ...place(target, to),
        ...headersOf(found),
        ...encryptionInput(target.encryption ?? null),
      }),
      http,
    ),
  );
  const upload = { ...place(target, to), UploadId };
  let isComplete = false;
  try {
    const copied: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let at = 0; at < sizeBytes; at += size) {
      const part = { from, number: copied.length + 1, at, length: Math.min(size, sizeBytes - at), etag };
      copied.push({ PartNumber: part.number, ETag: await copyPart(upload, part) });
    }
    const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: copied } });
    const made = await limited((http) => writer.send(command, http));
    isComplete = true;
    return made.ETag?.replaceAll('"', "");
  } finally {
    if (!isComplete)
      await limited((http) => writer.send(new AbortMultipartUploadCommand(upload), http)).catch(
        () => undefined,
      );
  }
}

const MIB = 1024 ** 2;

/** The size of the parts but the last. */
function partSizeOf(sizeBytes: number, parts: number, known: number | null): number {
  const fits = (size: number) => Math.ceil(sizeBytes / size) === parts;
  if (known !== null && fits(known)) return known;
  // Most programs take whole mebibytes, and storage no parts below five.
  const least = Math.max(5, Math.ceil(sizeBytes / parts / MIB)) * MIB;
  return fits(least) ? least : Math.ceil(sizeBytes / parts);
}
