import type { Repository } from "../repository.js";

const FOLDER = "docs/decisions/";
/** As the index says. */
const MAX_LINES = 40;
const INDEX = `${FOLDER}README.md`;

/**
 * Each number of a decision exists, the index lists each decision once and in order and explains each number that is missing, and no
 * decision is too long.
 */
export function findWrongDecisions({ files, documents }: Repository): string[] {
  const names = files.flatMap((path) => (path.startsWith(FOLDER) && /\/(\d{4}-.*)$/.exec(path)?.[1]) || []);
  const numbers = new Set(names.map((name) => name.slice(0, 4)));
  const index = documents.get(INDEX) ?? "";
  const rows = [...index.matchAll(/^\| \[(\d{4})\]\(([^)]+)\)/gm)].map(([, number, name]) => ({
    number,
    name,
  }));
  const explained = numbersIn(index.replaceAll(/^\|.*$/gm, ""));
  const last = Math.max(...[...numbers].map(Number));
  const gaps = Array.from({ length: last }, (_, at) => String(at + 1).padStart(4, "0"));
  return [
    ...rows
      .filter(({ number, name }) => !names.includes(name!) || !name!.startsWith(number!))
      .map(({ number }) => `${INDEX} has a row ${number} without its decision`),
    ...names
      .filter((name) => rows.filter((row) => row.name === name).length !== 1)
      .map((name) => `${INDEX} does not list ${name} once`),
    ...rows
      .filter(({ number }, at) => at > 0 && number! <= rows[at - 1]!.number!)
      .map(({ number }) => `${INDEX} has ${number} out of order`),
    ...names
      .filter(
        (name) =>
          (documents
            .get(FOLDER + name)
            ?.trimEnd()
            .split("\n").length ?? 0) > MAX_LINES,
      )
      .map((name) => `${FOLDER}${name} has more than ${MAX_LINES} lines`),
    ...gaps
      .filter((number) => !numbers.has(number) && !explained.has(number))
      .map((number) => `${INDEX} does not say why there is no ${number}`),
    ...[...documents].flatMap(([path, text]) =>
      [...numbersIn(text)]
        .filter((number) => !numbers.has(number) && !(path === INDEX && explained.has(number)))
        .map((number) => `${path} names the decision ${number}, which does not exist`),
    ),
    ...[...documents].flatMap(([path, text]) =>
      [...text.matchAll(/\[(0\d{3})\]\((?:[^)]*\/)?(\d{4})-/g)]
        .filter(([, said, target]) => said !== target)
        .map(([, said, target]) => `${path} calls the decision ${target} ${said}`),
    ),
  ];
}

/** Numbers such as 0022, apart from those of migrations (`0000_baseline.sql`) and in times or larger numbers; "0042 to 0044" are three. */
function numbersIn(text: string): Set<string> {
  const ranges = [...text.matchAll(/\b(00\d\d) to (00\d\d)\b/g)].flatMap(([, from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) =>
      String(Number(from) + at).padStart(4, "0"),
    ),
  );
  const single = [...text.matchAll(/(?<![\w.,:+-])00[0-9]\d(?![\w.,:]*\d|[_%])/g)].map(([number]) => number);
  return new Set([...ranges, ...single]);
}
