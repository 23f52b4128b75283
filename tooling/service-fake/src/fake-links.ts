import { aRefusal, type Answer, type Members } from "./answers.js";

/** A share link as the service answers it. */
export type FakeLink = ReturnType<typeof aLink>;

interface Store {
  /** The members of the last upload request of each path. */
  uploads: Map<unknown, Members>;
  links: FakeLink[];
}

/**
 * Answers the calls on share links. A link of every requested upload can be created.
 *
 * @param call method and path
 * @returns undefined for every other call
 */
export function answerToLinks(call: string, input: Members, { uploads, links }: Store): Answer | undefined {
  const isAsked = (link: FakeLink) =>
    (["link_id", "file_path", "tenant_id"] as const).every(
      (name) => input[name] === undefined || input[name] === link[name],
    );
  switch (call) {
    case "POST /api/storage/links/": {
      const tenantId = uploads.get(input["file_path"])?.["tenant_id"];
      if (tenantId === undefined || (input["tenant_id"] ?? tenantId) !== tenantId) {
        return aRefusal(404, "file_not_found", "File not found");
      }
      const link = aLink(input, tenantId);
      links.unshift(link);
      return { status: 200, body: { ...link, url: `https://files.example/s/${link.link_id}` } };
    }
    case "GET /api/storage/links/": {
      const asked = links.filter(isAsked);
      const { limit = 50, cursor = 0 } = input;
      const end = Number(cursor) + Number(limit);
      const next_cursor = end < asked.length ? String(end) : null;
      return { status: 200, body: { links: asked.slice(Number(cursor), end), next_cursor } };
    }
    case "POST /api/storage/links/revoke/": {
      const link = links.find(isAsked);
      if (link === undefined) return aRefusal(404, "link_not_found", "Link not found");
      links.splice(links.indexOf(link), 1);
      return { status: 200, body: link };
    }
    default:
      return undefined;
  }
}

let lastId = 0;

function aLink(input: Members, tenantId: unknown) {
  const seconds = input["expires_after"];
  return {
    link_id: `link${++lastId}`,
    file_path: input["file_path"],
    tenant_id: tenantId,
    created_at: new Date().toISOString(),
    expires_at: seconds === undefined ? null : new Date(Date.now() + Number(seconds) * 1000).toISOString(),
    max_downloads: input["max_downloads"] ?? null,
    downloads: 0,
    has_password: input["password"] !== undefined,
    disposition: input["disposition"] ?? "attachment",
  };
}
