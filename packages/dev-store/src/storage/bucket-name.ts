import { S3Error } from "../errors.js";

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html. A name becomes a folder's name, and
 * what passes here can be no `..` and hold no separator.
 *
 * @throws S3Error InvalidBucketName
 */
export function requireBucketName(name: string): string {
  const isFit =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
    !/\.\.|\.-|-\./.test(name) &&
    !/^\d+\.\d+\.\d+\.\d+$/.test(name);
  if (!isFit) throw new S3Error("InvalidBucketName");
  return name;
}
