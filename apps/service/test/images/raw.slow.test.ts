import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { createDecoder } from "#images/decode/decoder.js";
import type { VariantParameters } from "#images/preset-parameters.js";
import { sniffImage } from "#images/sniff-image.js";
import { anImageProject, anImageWorker, decoderOptions } from "../fixtures/an-image-project.js";
import { aCr3, aPreview, aRaf, aRawTiff } from "../fixtures/a-raw-file.js";
import { aWorld } from "../fixtures/a-world.js";
import { findFile } from "#files/record/find-file.js";

const decoder = createDecoder(decoderOptions);
afterAll(() => decoder.close());
const never = new AbortController().signal;
const parameters: VariantParameters = { width: 320, height: 320, fit: "inside", format: "jpeg", quality: 90 };

function decode(bytes: Buffer, changed: Partial<VariantParameters> = {}) {
  expect(sniffImage(bytes)).toBe("raw");
  return decoder.decode({ bytes, format: "raw", parameters: { ...parameters, ...changed } }, never);
}

const [small, middle, large] = await Promise.all([
  aPreview(160, 120, "#e00000"),
  aPreview(1620, 1080),
  aPreview(6000, 4000, "#0000e0"),
]);
const sensor = {
  entries: [
    [254, [0]],
    [256, [6048]],
    [257, [4032]],
    [262, [32_803]],
  ] as [number, number[]][],
};
const thumbnail = [
  [254, [1]],
  [256, [160]],
  [257, [120]],
] as [number, number[]][];

const files: [name: string, bytes: Buffer, size: [number, number] | null][] = [
  [
    "NEF",
    aRawTiff({
      directories: [{ entries: [...thumbnail, [330, [sensor]]] }],
      previews: [small, middle, large],
    }),
    [6048, 4032],
  ],
  [
    "ARW",
    aRawTiff({
      directories: [{ entries: [...thumbnail, [330, [sensor]]] }, { entries: thumbnail }],
      previews: [middle, small],
    }),
    [6048, 4032],
  ],
  [
    "DNG",
    aRawTiff({
      directories: [
        {
          entries: [
            ...thumbnail,
            [50_706, [0x0401]],
            [330, [{ entries: [...sensor.entries, [50_720, [6000, 4000]]] }]],
          ],
        },
      ],
      previews: [small, large],
    }),
    [6000, 4000],
  ],
  [
    "CR2",
    aRawTiff({
      mark: "CR\x02\0",
      magic: "II*\0",
      directories: [
        {
          entries: [
            [
              34_665,
              [
                {
                  entries: [
                    [40_962, [5472]],
                    [40_963, [3648]],
                  ],
                },
              ],
            ],
          ],
        },
      ],
      previews: [small, large],
    }),
    [5472, 3648],
  ],
  [
    "RW2",
    aRawTiff({
      magic: "IIU\0",
      directories: [
        {
          entries: [
            [4, [8]],
            [5, [16]],
            [6, [3472]],
            [7, [4640]],
          ],
        },
      ],
      previews: [middle],
    }),
    [4624, 3464],
  ],
  [
    "ORF",
    aRawTiff({
      magic: "IIRO",
      directories: [
        {
          entries: [
            [256, [4640]],
            [257, [3472]],
          ],
        },
      ],
      previews: [middle],
    }),
    null,
  ],
  [
    "CR3",
    aCr3(
      [
        { entries: [[274, [1]]] },
        {
          entries: [
            [40_962, [6960]],
            [40_963, [4640]],
          ],
        },
      ],
      [small, middle, large],
    ),
    [6960, 4640],
  ],
  ["RAF", aRaf([6240, 4160], [middle]), [6240, 4160]],
  ["RAF of a sensor with shifted rows", aRaf([4256, 1424], [middle]), null],
];

describe("a variant of a camera raw file", () => {
  test.each(files)("is made of a preview in %s, and knows the real size", async (_, bytes, size) => {
    const answer = await decode(bytes);
    if (!answer.ok) throw new Error(answer.reason);
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ width: 320 });
    expect(answer.image && [answer.image.width, answer.image.height]).toEqual(size);
  });

  test.each([
    [{ width: 100, height: 100 }, "red"],
    [{ width: 320, height: 320 }, "green"],
    [{ width: 1620, height: 1620 }, "green"],
    [{ width: 2048, height: 2048 }, "blue"],
    [{ width: 4096, height: null }, "blue"],
    [{ width: 200, height: 150, fit: "cover" }, "green"],
  ] as const)(
    "of the size %j is made of the smallest preview that has its pixels",
    async (changed, color) => {
      const answer = await decode(files[0]![1], changed);
      if (!answer.ok) throw new Error(answer.reason);
      expect((await sharp(answer.bytes).metadata()).width).toBe(changed.width);
      const { dominant } = await sharp(answer.bytes).stats();
      const [name] = Object.entries({ red: dominant.r, green: dominant.g, blue: dominant.b }).toSorted(
        (a, b) => b[1] - a[1],
      )[0]!;
      expect(name).toBe(color);
    },
  );

  test.each([
    [files[4]![1], "4624 × 3464", "2048 × 1534"],
    [files[5]![1], "an unknown size", "2048 × 1365"],
  ])("is refused where the previews are too small", async (bytes, _, needed) => {
    const reason = `the largest preview in this camera raw file has 1620 × 1080 pixels, and the variant needs ${needed}`;
    expect(await decode(bytes, { width: 2048, height: 2048 })).toEqual({ ok: false, reason });
  });

  test.each([6, 8, 3])(
    "is turned by the orientation %d of the file once, not by a preview without one",
    async (orientation) => {
      const directory = {
        entries: [...thumbnail, [274, [orientation]], [330, [sensor]]] as [number, number[]][],
      };
      const turnedPreview = await sharp(middle).withMetadata({ orientation }).toBuffer();
      for (const preview of [middle, turnedPreview]) {
        const answer = await decode(aRawTiff({ directories: [directory], previews: [small, preview] }));
        if (!answer.ok) throw new Error(answer.reason);
        const { width, height } = await sharp(answer.bytes).metadata();
        const isOnItsSide = orientation !== 3;
        expect(width! < height!).toBe(isOnItsSide);
        expect(answer.image).toMatchObject(
          isOnItsSide ? { width: 4032, height: 6048 } : { width: 6048, height: 4032 },
        );
      }
    },
  );
});

test.each([
  ["without a preview", aRawTiff({ directories: [sensor], previews: [] })],
  [
    "with directories in a circle",
    aRawTiff({ directories: [{ entries: [...sensor.entries, [330, [8]]] }], previews: [] }),
  ],
  [
    "with half of a preview's header",
    aRawTiff({ directories: [sensor], previews: [middle.subarray(0, 30)] }),
  ],
  ["that ends in a directory", aRawTiff({ directories: [sensor], previews: [] }).subarray(0, 60)],
  ["of Fujifilm that ends in its header", aRaf([100, 100], []).subarray(0, 98)],
])("a camera raw file %s is refused", async (_, bytes) => {
  expect(await decode(bytes)).toMatchObject({ ok: false });
});

test("a plain TIFF is no camera raw file", async () => {
  expect(sniffImage(await sharp(small).tiff().toBuffer())).toBe("tiff");
});

test("a file whose size nobody knows gets no facts", async () => {
  const world = await aWorld();
  const project = await anImageProject(world);
  const worker = anImageWorker(world);
  const file = await project.store(files[5]![1], { filename: "P1.ORF" });
  await project.download(file);
  expect(await worker.next()).toBe("made");
  expect(await project.download(file)).toMatchObject({ contentType: "image/webp" });
  expect(await findFile(world.deps, project, file)).not.toHaveProperty("image");
  await worker.close();
  await world.close();
});
