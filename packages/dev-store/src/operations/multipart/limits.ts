/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
export const MAX_PARTS = 10_000;
/** Of every part but the last. */
export const MIN_PART_BYTES = 5 * 1024 ** 2;
