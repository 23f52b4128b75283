import { type Example, parseCurl } from "./parse-curl.js";
import { type Answer, send } from "./send.js";

/*
 * Adds a form to each curl command of the API page. What the reader enters stays in the inputs of this page: it is not stored, and leaves
 * with the page.
 */
const settings = {
  key: input("API key", "password"),
  FILE_PATH: input("FILE_PATH", "text"),
  UPLOAD_PATH: input("UPLOAD_PATH", "text"),
};

const commands = [...document.querySelectorAll<HTMLElement>("pre[data-language=sh]")].flatMap((block) => {
  const example = parseCurl(block.textContent.trim());
  const figure = block.closest(".expressive-code");
  return example === undefined || figure === null ? [] : [{ example, figure }];
});
commands[0]?.figure.before(settingsForm());
for (const { example, figure } of commands) figure.after(requestForm(example));

function settingsForm(): HTMLElement {
  const form = element("form", { className: "try-it", autocomplete: "off" });
  form.setAttribute("aria-label", "Values for the requests of this page");
  const text = "Requests of this page go to the service that serves it. The key is kept in this page only.";
  form.append(element("p", { textContent: text }), ...Object.values(settings).map(({ label }) => label));
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

function requestForm(example: Example): HTMLElement {
  const { method, path } = example;
  const details = element("details", { className: "try-it" });
  const form = element("form", {});
  form.setAttribute("aria-label", `${method} ${path}`);
  const output = element("pre", { tabIndex: 0 });
  output.setAttribute("role", "status");
  output.setAttribute("aria-label", "Answer");
  const data = example.body ?? example.query;
  const field = element("textarea", { rows: 4, spellcheck: false, value: indent(data ?? "{}") });
  const label = element("label", { textContent: example.body === undefined ? "Query" : "Body" });
  label.append(field);
  if (data !== undefined) form.append(label);
  form.append(element("button", { textContent: "Send" }), output);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const filled = withValues(field.value);
    const changed = {
      ...(example.body === undefined ? {} : { body: filled }),
      ...(example.query === undefined ? {} : { query: filled }),
    };
    output.textContent = "…";
    void send({ ...example, ...changed }, example.needsKey ? settings.key.field.value.trim() : "").then(
      (answer) => show(output, example, answer),
      (error: unknown) => void (output.textContent = `No answer: ${String(error)}`),
    );
  });
  details.append(element("summary", { textContent: `Try it: ${method} ${path}` }), form);
  return details;
}

function show(output: HTMLElement, { path }: Example, { status, text, filePath }: Answer): void {
  output.textContent = `${status}\n\n${text}`;
  if (filePath === undefined) return;
  if (path === "/api/storage/upload/") settings.FILE_PATH.field.value = filePath;
  if (path === "/api/storage/uploads/") settings.UPLOAD_PATH.field.value = filePath;
}

/** Puts the paths into the JSON text. They contain no character that JSON escapes. */
function withValues(text: string): string {
  return text.replaceAll(
    /\$(FILE_PATH|UPLOAD_PATH)/g,
    (name, key: "FILE_PATH" | "UPLOAD_PATH") => settings[key].field.value || name,
  );
}

function indent(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

function input(name: string, type: string): { label: HTMLLabelElement; field: HTMLInputElement } {
  const field = element("input", { type, autocomplete: "off", spellcheck: false });
  const label = element("label", { textContent: name });
  label.append(field);
  return { label, field };
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  members: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), members);
}
