import ts from "typescript-5";
import { listSources, readText } from "./repository.js";

/** What the sources say about one exported name. */
export interface Docstring {
  /** Markdown: the description, then parameters, errors and examples. Empty if the source has no docstring. */
  text: string;
  /** The declaration with the docstrings of its members, if it is an interface or a type. */
  declaration?: string;
  /** The name of the same thing in the module that it comes from. */
  alias?: string;
}

/** Reads the docstrings of a package's sources. Only syntax is read, so that this needs no build. @param folder such as `packages/server` */
export function readDocstrings(folder: string): Map<string, Docstring> {
  const found = new Map<string, Docstring>();
  for (const path of listSources(`${folder}/src`)) {
    const source = ts.createSourceFile(path, readText(path), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      for (const [name, alias] of aliasesOf(statement)) found.set(name, { text: "", alias });
      for (const name of exportedNames(statement)) {
        const docstring = docstringOf(statement);
        // Overloads have the same name. The first one has the text.
        if (docstring.text !== "" || !found.has(name)) found.set(name, docstring);
      }
    }
  }
  for (const [name, docstring] of found) {
    if (docstring.text === "") docstring.text = found.get(schemaOf(name))?.text ?? "";
  }
  return found;
}

/** The schema that a type is inferred from: `browserFile` for `BrowserFile`. Only the schema has the docstring. */
const schemaOf = (type: string): string => type.charAt(0).toLowerCase() + type.slice(1);

/** The names of `export { original as name }`. */
function aliasesOf(statement: ts.Statement): [string, string][] {
  const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
  if (clause === undefined || !ts.isNamedExports(clause)) return [];
  return clause.elements.flatMap(({ name, propertyName }) =>
    propertyName === undefined ? [] : [[name.text, propertyName.text] as [string, string]],
  );
}

function exportedNames(statement: ts.Statement): string[] {
  // `export * as name`
  const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
  if (clause !== undefined && ts.isNamespaceExport(clause)) return [clause.name.text];
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}

function docstringOf(statement: ts.Statement): Docstring {
  const comments = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  const comment = comments.at(-1);
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  return {
    text: comment === undefined ? "" : renderComment(comment),
    ...(isType ? { declaration: statement.getText().replace(/^export /, "") } : {}),
  };
}

function renderComment({ comment, tags }: ts.JSDoc): string {
  const all = tags === undefined ? [] : [...tags];
  const parameters = all.filter(ts.isJSDocParameterTag);
  const others = all.filter((tag) => !ts.isJSDocParameterTag(tag));
  return [
    toMarkdown(comment),
    parameters.map((tag) => `- \`${tag.name.getText()}\`: ${toMarkdown(tag.comment)}`).join("\n"),
    ...others.map(renderTag),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const TITLES: Record<string, string> = {
  returns: "Returns",
  throws: "Throws",
  default: "Default:",
  deprecated: "Deprecated.",
  see: "See",
};

function renderTag(tag: ts.JSDocTag): string {
  const name = tag.tagName.text;
  if (name === "example") return renderExample(ts.getTextOfJSDocComment(tag.comment) ?? "");
  if (name === "typeParam") return toMarkdown(tag.comment).replace(/^(\w+) /, "- `$1`: ");
  // Of custom elements.
  if (/^(slot|csspart|cssprop|fires)$/.test(name))
    return toMarkdown(tag.comment).replace(/^(\S+) /, `- ${name} \`$1\` `);
  const title = TITLES[name];
  if (title === undefined) throw new Error(`The site cannot show the tag @${name}: ${tag.getText()}`);
  return `${title} ${toMarkdown(tag.comment)}`;
}

function renderExample(text: string): string {
  return text.startsWith("```") ? text : `\`\`\`tsx\n${text.trim()}\n\`\`\``;
}

/** The text of a comment in one paragraph for each of its own, with names of links as code. */
function toMarkdown(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  if (comment === undefined) return "";
  if (typeof comment === "string") return comment.trim();
  return comment
    .map((part) => {
      if (part.kind === ts.SyntaxKind.JSDocText) return part.text;
      const { name, text } = part as ts.JSDocLink;
      return `\`${name?.getText() ?? ""}${text}\``;
    })
    .join("")
    .trim();
}
