import { S3Error } from "../errors.js";

/**
 * Checks a bucket name: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html. The name becomes a
 * folder name, so it must not be `..` or contain a separator.
 *
 * @throws S3Error InvalidBucketName
 */
export function requireBucketName(name: string): string {
  const isValid =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
    !/\.\.|\.-|-\./.test(name) &&
    !/^\d+\.\d+\.\d+\.\d+$/.test(name);
  if (!isValid) throw new S3Error("InvalidBucketName");
  return name;
}
