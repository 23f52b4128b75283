import type { Report } from "../run/run.js";

/** The report for programs, in snake_case like all JSON of the command line. */
export function toJson(report: Report, suiteVersion: string) {
  const { cleanUp } = report;
  return {
    url: report.url,
    service_version: report.serviceVersion,
    suite_version: suiteVersion,
    profile: report.profile,
    results: report.results.map(({ topic, name, outcome, durationMs, ...rest }) => ({
      topic,
      name,
      outcome: outcome.replace(" ", "_"),
      duration_ms: durationMs,
      ...("reason" in rest && { reason: rest.reason }),
      ...("failure" in rest && {
        asked: rest.failure.asked,
        expected: rest.failure.expected,
        got: rest.failure.got,
        request_id: rest.failure.requestId,
        cause: rest.failure.cause,
        what_to_do: rest.failure.whatToDo,
      }),
    })),
    deleted_tenants: cleanUp.deletedTenants,
    left_tenants: cleanUp.left,
    requests: report.requests,
    sent_bytes: report.sentBytes,
    waited_seconds: report.waitedSeconds,
    duration_ms: report.durationMs,
  };
}
