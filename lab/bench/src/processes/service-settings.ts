/** Settings of the service with a database only: storage is never called, and no job runs. */
export function serviceSettings(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    PORT: "0",
    RATE_LIMIT_PER_MINUTE: "0",
    SWEEP_INTERVAL_MS: "0",
    S3_ENDPOINT: "http://127.0.0.1:9",
    S3_BUCKET: "nowhere",
    S3_ACCESS_KEY_ID: "nobody",
    S3_SECRET_ACCESS_KEY: "nothing",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };
}
