import { TYPE, type WidgetStage } from "./widget-stage.js";

/**
 * Measures the browser alone: a page without a widget that PUTs the files to given URLs, and again after a cut.
 *
 * @returns seconds from the first PUT to the last answer @throws {Error} if a PUT is refused
 */
export async function byBarePage(
  stage: WidgetStage,
  files: string[],
  urls: string[],
  atOnce: number,
): Promise<number> {
  const page = await stage.open("?bare");
  try {
    await page.chooseFiles(files);
    return await page.evaluate(
      async ({ urls, atOnce, type }) => {
        const files = [...document.querySelector("input")!.files!].entries();
        const put = (url: string, file: File): Promise<void> =>
          new Promise<void>((resolve, reject) => {
            const xhr = new XMLHttpRequest();
            xhr.onload = () => (xhr.status === 200 ? resolve() : reject(new Error(`${xhr.status}`)));
            xhr.onerror = () => put(url, file).then(resolve, reject);
            xhr.open("PUT", url);
            xhr.setRequestHeader("Content-Type", type);
            xhr.send(file);
          });
        const startedAt = performance.now();
        const lane = async () => {
          for (const [n, file] of files) await put(urls[n]!, file);
        };
        await Promise.all(Array.from({ length: atOnce }, lane));
        return (performance.now() - startedAt) / 1000;
      },
      { urls, atOnce, type: TYPE },
    );
  } finally {
    await page.close();
  }
}
