import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "./expect/failure.js";
import { aText, aUrl } from "./expect/match.js";
import type { Facts } from "./facts.js";
import type { Answer } from "./http/answer.js";
import type { Client, Request } from "./http/client.js";
import type { TenantNames } from "./run/tenant-names.js";
import type {
  Download,
  FilePage,
  FileRecord,
  Link,
  OpenUpload,
  Part,
  Tenant,
  Upload,
  Usage,
} from "./wire.js";

export type Query = Record<string, string | number>;
type Body = Record<string, unknown>;
/** A member whose value is undefined is not sent. */
type FileBody = Body & { bytes?: string | Uint8Array };

const PATH = "/api/storage/";
const SCAN_LIMIT_MS = 60_000;

/** What a case has: the tenants of the run, and requests that a customer's backend and its users make. */
export class Context {
  /** The tenant that most cases share. A case that looks at counters or whole lists takes {@link ownTenant}. */
  readonly tenant: string;
  readonly facts: Facts;
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #names: TenantNames;

  constructor(parts: { client: Client; names: TenantNames; facts: Facts; signal: AbortSignal }) {
    this.#client = parts.client;
    this.#names = parts.names;
    this.#signal = parts.signal;
    this.facts = parts.facts;
    this.tenant = parts.names.shared;
  }

  /** A tenant that only this case uses. @param suffix characters at its end */
  async ownTenant(suffix = ""): Promise<string> {
    const tenant = this.#names.next(suffix);
    // A default quota of the project that is too small would refuse the cases' files.
    if (this.facts.raisesQuota) await this.setQuota(tenant, this.facts.quotaBytes);
    return tenant;
  }

  send(path: string, request: Request = {}): Promise<Answer> {
    return this.#client.send(path, request, { signal: this.#signal });
  }

  post(call: string, body: unknown, request: Request = {}): Promise<Answer> {
    return this.send(`${PATH}${call}/`, { method: "POST", body, ...request });
  }

  get(call: string, query: Query = {}, request: Request = {}): Promise<Answer> {
    const text = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) text.set(name, String(value));
    return this.send(`${PATH}${call}/${text.size === 0 ? "" : `?${text}`}`, request);
  }

  put(call: string, body: unknown): Promise<Answer> {
    return this.send(`${PATH}${call}/`, { method: "PUT", body });
  }

  /**
   * Sends the bytes of an upload or of a part, by default with exactly the headers that belong to its URL. Where storage demands an MD5, as
   * with Object Lock, it is sent too.
   */
  async putBytes(
    { presigned_url, headers }: Pick<Upload, "presigned_url" | "headers">,
    bytes: string | Uint8Array,
    sent: Record<string, string> = headers,
  ): Promise<Answer> {
    const body = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    const put = (headers: Record<string, string>) =>
      this.#client.store(presigned_url, { method: "PUT", headers, body }, { signal: this.#signal });
    const answer = await put(sent);
    const demandsMd5 = answer.status === 400 && /<Code>InvalidRequest<.*Content-MD5/s.test(answer.text);
    if (!demandsMd5 || "Content-MD5" in sent) return answer;
    return put({ ...sent, "Content-MD5": createHash("md5").update(body).digest("base64") });
  }

  /** Reads a presigned or public URL as a browser does. */
  read(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
    return this.#client.store(url, { method, headers }, { signal: this.#signal });
  }

  /** Requests an upload, which must be admitted. By default it has a size, because a project may require one. */
  async upload(body: Body = {}, request: Request = {}): Promise<Upload> {
    const answer = await this.requestUpload(body, request);
    return answer.ok<Upload>({ presigned_url: aUrl, file_path: aText, headers: {} });
  }

  requestUpload(body: Body = {}, request: Request = {}): Promise<Answer> {
    return this.post("upload", { tenant_id: this.tenant, filename: "a.txt", size: 5, ...body }, request);
  }

  /** Uploads a file, by default "hello", and completes it. */
  async stored({ bytes = "hello", ...body }: FileBody = {}): Promise<FileRecord> {
    const upload = await this.upload({ size: Buffer.byteLength(bytes), ...body });
    (await this.putBytes(upload, bytes)).hasStatus(200);
    return this.complete(upload.file_path);
  }

  /** A stored file that may be downloaded, also if the project scans its files. */
  async cleanFile(body: FileBody = {}): Promise<FileRecord> {
    const file = await this.stored(body);
    await this.allowDownload(file.file_path);
    return file;
  }

  /** Has the file found clean: by a report, or by waiting for the service's scanner. */
  async allowDownload(file_path: string): Promise<void> {
    if (this.facts.scan === "external") {
      (await this.post("scan-result", { file_path, verdict: "clean" })).ok({ scan_status: "clean" });
    } else if (this.facts.scan === "service") {
      await this.eventually(SCAN_LIMIT_MS, async () =>
        (await this.get("file", { file_path })).ok({ scan_status: "clean" }),
      );
    }
  }

  async complete(file_path: string): Promise<FileRecord> {
    return (await this.post("complete", { file_path })).ok<FileRecord>({ file_path, status: "stored" });
  }

  async download(body: Body): Promise<Download> {
    return (await this.post("download", body)).ok<Download>({ presigned_url: aUrl });
  }

  /** Creates a share link. */
  async link(body: Body): Promise<Link & { url: string }> {
    return (await this.post("links", body)).ok<Link & { url: string }>({ link_id: aText, url: aUrl });
  }

  /**
   * Opens a share link as a visitor does, at the address of this run: its own address may be one for browsers only.
   *
   * @param form the password is sent in it
   */
  visit(url: string, request: Pick<Request, "method"> = {}, form?: Record<string, string>): Promise<Answer> {
    const path = `/s/${url.split("/").at(-1)}`;
    if (form === undefined) return this.send(path, { key: null, ...request });
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return this.send(path, { method: "POST", key: null, headers, body: `${new URLSearchParams(form)}` });
  }

  async file(file_path: string): Promise<FileRecord> {
    return (await this.get("file", { file_path })).ok<FileRecord>({ file_path });
  }

  async list(query: Query = {}): Promise<FilePage> {
    return (await this.get("files", query)).ok<FilePage>({});
  }

  async usage(tenant_id: string): Promise<Usage> {
    return (await this.get("usage", { tenant_id })).ok<Usage>({});
  }

  /** Expects exactly these counters of a tenant. */
  async hasUsage(
    tenant_id: string,
    used_bytes: number,
    reserved_bytes: number,
    file_count: number,
  ): Promise<void> {
    (await this.get("usage", { tenant_id })).ok({ used_bytes, reserved_bytes, file_count });
  }

  async setQuota(tenant_id: string, quota_bytes: number | null): Promise<Tenant> {
    return (await this.put("quota", { tenant_id, quota_bytes })).ok<Tenant>({ tenant_id });
  }

  /** Deletes for good, also where the project has a trash. */
  purge(file_path: string): Promise<Answer> {
    return this.post("delete", { file_path, purge: true });
  }

  async openUpload(body: Body = {}, request: Request = {}): Promise<OpenUpload> {
    const answer = await this.requestOpenUpload(body, request);
    return answer.ok<OpenUpload>({ file_path: aText });
  }

  requestOpenUpload(body: Body = {}, request: Request = {}): Promise<Answer> {
    return this.post("uploads", { tenant_id: this.tenant, filename: "a.bin", size: 3, ...body }, request);
  }

  async signParts(file_path: string, parts: object[]): Promise<Part[]> {
    const answer = await this.post("uploads/parts", { file_path, parts });
    return answer.ok<{ parts: Part[] }>({ parts: parts.map(() => ({ presigned_url: aUrl })) }).parts;
  }

  /** Repeats a check until it passes. @throws its last failure after the limit */
  async eventually(limitMs: number, check: () => Promise<unknown>): Promise<void> {
    const end = Date.now() + limitMs;
    for (;;) {
      try {
        await check();
        return;
      } catch (error) {
        if (!(error instanceof Failure) || Date.now() > end) throw error;
      }
      await this.wait(500);
    }
  }

  wait(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#signal });
  }
}
