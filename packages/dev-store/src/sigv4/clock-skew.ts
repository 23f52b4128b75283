/** How far a signer's clock may be off: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export const MAX_CLOCK_SKEW_MS = 15 * 60_000;
