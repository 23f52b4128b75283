import { type Failure, NoAnswer, type Received } from "../expect/failure.js";
import { STATUS_OF_CODE } from "../wire.js";

/** Failures with the same cause are reported together, so a cause contains nothing that only one request has. */
export interface Diagnosis {
  cause: string;
  whatToDo: string;
}

const PROXY_PAGE = "docs/proxies.md has settings of nginx and HAProxy that work.";

/** Guesses what is wrong, from the answer and from what the case says it is about. The first rule that fits decides. */
export function diagnose(failure: Failure): Diagnosis {
  if (failure instanceof NoAnswer) return diagnoseNoAnswer(failure);
  const { answer, hint } = failure;
  if (hint?.kind === "cors")
    return {
      cause: `The bucket has no CORS rule that lets pages of ${hint.origin} do this.`,
      whatToDo: `Run stowage cors apply --origin ${hint.origin} where the service runs, then stowage doctor --origin ${hint.origin}. If a proxy or CDN is in front of storage, let it pass OPTIONS and the Access-Control headers.`,
    };
  if (hint?.kind === "locale") return ASCII_ONLY;
  if (answer === undefined) return unknown(failure);
  if (answer.from === "service" && answer.isRepeated) return STALE;
  if (answer.from === "service") return diagnoseService(failure, answer);
  return diagnoseStorage(failure, answer);
}

const STALE: Diagnosis = {
  cause: "A cache in front of the service answers with an earlier answer.",
  whatToDo: `Turn caching off for the service's address. Every answer says Cache-Control: no-store, so the proxy or CDN was told to ignore it. ${PROXY_PAGE}`,
};

const ASCII_ONLY: Diagnosis = {
  cause: "The database has the locale C, which knows upper and lower case only in ASCII.",
  whatToDo:
    "Searches find other letters only as they are written. If that matters to you, create the database with a locale such as C.UTF-8 (docs/scale-out.md has the statement), and copy the data with pg_dump.",
};

function diagnoseService(failure: Failure, answer: Received): Diagnosis {
  const code = answer.headers.get("x-error-code");
  const statusOfCode = code === null ? undefined : STATUS_OF_CODE[code];
  if (statusOfCode !== undefined && statusOfCode !== answer.status)
    return {
      cause: "Something between here and the service changes the status of its answers.",
      whatToDo: `Every error of the service has one status: docs/errors/README.md. Let the proxy pass it unchanged (in nginx: no proxy_intercept_errors, no error_page). ${PROXY_PAGE}`,
    };
  if (failure.hint?.kind === "header") {
    const { name } = failure.hint;
    if (!answer.headers.has(name))
      return {
        cause: `The header ${name} of the service's answers does not arrive.`,
        whatToDo: `Let the proxy pass the header ${name} (in nginx: no proxy_hide_header for it). ${PROXY_PAGE} If there is no proxy, the service is another version than this command.`,
      };
  }
  if (isCutJson(answer))
    return {
      cause: "The service's answers arrive incomplete.",
      whatToDo: `Look for a limit or a filter of response bodies in the proxy in front of the service, and for its full disk: proxies buffer answers there. ${PROXY_PAGE}`,
    };
  if (answer.status === 503 && code === "unavailable")
    return {
      cause: "The service does not reach its database or its storage.",
      whatToDo: "Read /readyz, and run stowage doctor where the service runs.",
    };
  if (answer.status === 500 && code === "internal_error")
    return {
      cause: "The service met an error that it does not expect.",
      whatToDo: "Search its log for the request ID. It has the error and where it happened.",
    };
  if (code === "unauthorized")
    return {
      cause: "The service refused the key in this request, although it accepts it in others.",
      whatToDo:
        "Check that a proxy passes the header Authorization on every path, and that nobody replaced the key during the run.",
    };
  if (code === null && answer.status >= 300 && answer.json === undefined)
    return {
      cause: "Something else than the service answers: the body is not JSON.",
      whatToDo: `Look at the proxy in front of the service: it has to pass every path, every method, bodies of up to 2 MiB, and the bodies of errors (in nginx: no error_page). ${PROXY_PAGE}`,
    };
  return unknown(failure);
}

function isCutJson(answer: Received): boolean {
  const type = answer.headers.get("content-type") ?? "";
  return type.startsWith("application/json") && answer.json === undefined;
}

/** What the error codes of S3 say about the set-up. */
const STORAGE_CAUSES: Record<string, Diagnosis> = {
  SignatureDoesNotMatch: {
    cause: "Storage finds the signature of the presigned URL wrong.",
    whatToDo:
      "Check S3_ENDPOINT and S3_PUBLIC_ENDPOINT (the address that browsers use), S3_REGION and the secret key, and that a proxy in front of storage changes neither Host nor path nor headers. Run stowage doctor.",
  },
  AccessDenied: {
    cause: "Storage refuses the access.",
    whatToDo:
      "Check the policy of the service's credentials, and that the clocks of service and storage agree. Run stowage doctor: it names the missing permission.",
  },
  InvalidAccessKeyId: {
    cause: "Storage does not know the service's access key.",
    whatToDo: "Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY of the service.",
  },
  RequestTimeTooSkewed: {
    cause: "The clocks of service and storage differ.",
    whatToDo: "Let both machines keep their time with NTP. Run stowage doctor.",
  },
  NoSuchBucket: {
    cause: "The bucket does not exist.",
    whatToDo: "Check S3_BUCKET of the service, or create the bucket.",
  },
};

function diagnoseStorage(failure: Failure, answer: Received): Diagnosis {
  if (answer.status === 413)
    return {
      cause: "A proxy in front of storage limits the size of bodies.",
      whatToDo: "Raise its limit to the largest part or file (in nginx: client_max_body_size 0).",
    };
  const code = /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1];
  const known = code === undefined ? undefined : STORAGE_CAUSES[code];
  // A refusal that the case expects to be one is about its status, so only failures of what must succeed have such a cause.
  if (known && failure.expected.includes("200")) return known;
  if (answer.status === 200 && /status 4|refused/.test(failure.expected))
    return {
      cause: "Storage accepts what the URL does not allow.",
      whatToDo:
        "This store does not check all signed headers, so a client could exceed its quota. Run stowage doctor: its check enforced-headers says which. docs/storage.md lists stores that do.",
    };
  if (failure.hint?.kind === "header")
    return {
      cause: `Storage, or a proxy or CDN in front of it, does not send the header ${failure.hint.name}.`,
      whatToDo: "Let the proxy or CDN pass the headers of storage unchanged. Run stowage doctor.",
    };
  return {
    cause: "Storage, or a proxy or CDN in front of it, answers in another way than S3.",
    whatToDo: "Run stowage doctor where the service runs, and compare with docs/storage.md.",
  };
}

function diagnoseNoAnswer({ to, code, got }: NoAnswer): Diagnosis {
  if (code === "cut off")
    return {
      cause: `Answers of ${to === "service" ? "the service" : "storage"} break off before their end.`,
      whatToDo: `Look for a limit or a filter of response bodies in the proxy in front of ${to === "service" ? "the service" : "storage"}, and for its full disk: proxies buffer answers there.`,
    };
  if (code === "timeout")
    return {
      cause: `${to === "service" ? "The service" : "Storage"} is too slow, or a proxy holds the request back.`,
      whatToDo:
        "Try again with a larger --request-timeout. If that helps, look at the load: docs/runbooks.md.",
    };
  if (to === "storage")
    return {
      cause: "This machine does not reach storage at the address of the presigned URLs.",
      whatToDo: `Set S3_PUBLIC_ENDPOINT to the address where browsers reach storage. If it is right, check DNS, certificate and firewall (${code}).`,
    };
  return {
    cause: "The connection to the service fails.",
    whatToDo:
      `Check DNS, certificate, firewall and the proxy in front of the service. ${got.startsWith("no answer (") ? "The error is above." : ""}`.trim(),
  };
}

function unknown({ answer }: Failure): Diagnosis {
  const id = answer?.requestId ? " Search its log for the request ID." : "";
  return {
    cause: "The service behaves in another way than docs/api.md says.",
    whatToDo: `Compare the versions: this command asks what its own version promises.${id} If both are equal and no proxy is in between, report it as a bug.`,
  };
}
