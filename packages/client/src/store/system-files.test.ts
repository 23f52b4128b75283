import { expect, test } from "vitest";
import { isSystemPath } from "./system-files.js";
import { MAY_BE_SYSTEM_FILE } from "./uploads-on-demand.js";

test.each([
  [
    "macOS",
    [
      "._a.jpg",
      "._.",
      ".DS_Store",
      ".ds_store",
      "Icon\r",
      "Icon\uf00d",
      ".localized",
      ".VolumeIcon.icns",
      ".apdisk",
    ],
  ],
  [
    "Windows",
    [
      "Thumbs.db",
      "thumbs.DB",
      "ehthumbs.db",
      "ehthumbs_vista.db",
      "Thumbs.db:encryptable",
      "desktop.ini",
      "Desktop.INI",
    ],
  ],
  ["Windows, at the top of a disk and from the web", ["pagefile.sys", "a.docx:Zone.Identifier"]],
  [
    "Linux and Android",
    [
      ".directory",
      ".nfs000000000a1b2c3d00000001",
      ".fuse_hidden0000a1b200000001",
      ".nomedia",
      ".trashed-1735689600-IMG_1.jpg",
      ".pending-1735689600-film.mp4",
    ],
  ],
  [
    "programs that have a file open",
    [
      "~$report.docx",
      "~$port.XLSX",
      ".~lock.a.odt#",
      ".~report.docx",
      "~WRL0001.tmp",
      ".#x",
      ".x.swp",
      ".x.txt.swo",
      ".swp",
      ".a.md.kate-swp",
      "plan.dwl",
      "plan.dwl2",
      "~book~k3x8.idlk",
      "data.laccdb",
    ],
  ],
  ["programs that save a file", [".goutputstream-AB12CD", "notes.txt.sb-1a2b3c4d-Xy12Ab"]],
  [
    "downloads",
    [
      "a.zip.crdownload",
      "Unconfirmed 123.crdownload",
      "film.mp4.part",
      "aB3dE6gH.pdf.part",
      "a.7z.part",
      "a.iso.aria2",
      "a.zip.opdownload",
      "a.zip.filepart",
      "film.mp4.x8k2m0q.partial",
    ],
  ],
  ["programs that synchronize", [".dropbox", ".dropbox.attr", ".syncthing.a.jpg.tmp"]],
  [
    "folders of macOS",
    [
      "__MACOSX/a.jpg",
      "a/__MACOSX/b/c.jpg",
      ".Spotlight-V100/Store-V2/x.db",
      ".Trashes/501/a.jpg",
      ".fseventsd/0000",
      ".TemporaryItems/a",
      ".DocumentRevisions-V100/a.jpg",
      ".AppleDouble/a.jpg",
    ],
  ],
  [
    "folders of Windows",
    ["$RECYCLE.BIN/S-1-5-21/a.jpg", "$Recycle.Bin/a.jpg", "disk/System Volume Information/a.dat"],
  ],
  [
    "folders of other systems",
    [
      "lost+found/a.jpg",
      ".Trash-1000/files/a.jpg",
      "@eaDir/a.jpg/SYNOPHOTO_THUMB_M.jpg",
      "photos/#recycle/a.jpg",
      ".@__thumb/a.jpg",
      ".thumbnails/1.jpg",
    ],
  ],
  [
    "folders of programs",
    ["a.zip.download/a.zip", ".dropbox.cache/a.jpg", ".tmp.driveupload/123", ".stversions/a.jpg"],
  ],
])("knows the files of %s, also inside folders", (_whose, paths) => {
  for (const path of paths) {
    for (const each of [path, `album/${path}`, `my.album/2026/${path}`]) {
      expect([each, isSystemPath(each), MAY_BE_SYSTEM_FILE.test(each)]).toEqual([each, true, true]);
    }
  }
});

test.each([
  [
    "names like those of systems",
    [
      "Icon.png",
      "icon",
      "Icon",
      "IconX",
      "thumbs.jpg",
      "mythumbs.db",
      "desktop.ini.txt",
      "my desktop.ini",
      "DS_Store",
      "directory",
      "pagefile.sys.txt",
      "localized",
    ],
  ],
  [
    "names that begin with a dot",
    [
      ".gitignore",
      ".env",
      ".htaccess",
      ".npmrc",
      ".a.jpg",
      ".swift",
      ".x.swf",
      ".config/settings.json",
      ".nfs",
      ".nfs.conf",
      ".trash.txt",
      "._",
    ],
  ],
  [
    "names with a tilde or a dollar",
    ["~notes.txt", "notes.txt~", "~", "$100.txt", "$report.docx", "report~$1.docx", "a.tmp", "notes~1.tmp"],
  ],
  [
    "other signs",
    [
      "#notes#",
      "#hashtag.txt",
      "@home.jpg",
      "_MACOSX",
      "__init__.py",
      "-a.jpg",
      "日本.jpg",
      "привет",
      "été.txt",
      "(1).jpg",
    ],
  ],
  [
    "locks that people write about",
    ["lock.txt", "yarn.lock", "package-lock.json", "a.lock", "x.swp", "swp.txt"],
  ],
  [
    "parts and downloads that may be complete",
    [
      "bracket.part",
      "bracket.v2.part",
      "archive.part1.rar",
      "archive.zip.part01",
      "nav.html.partial",
      "_form.partial",
      "jquery.js.download",
      "crdownload",
      "crdownload.txt",
      "part",
    ],
  ],
  [
    "folders that are a person's",
    [
      "MACOSX/a.jpg",
      "Trashes/a.jpg",
      "Recycle.bin/a.jpg",
      "System Volume Information.txt",
      "downloads/a.jpg",
      "my.download/a.jpg",
      "eaDir/a.jpg",
      "lost+found.txt",
      "thumbnails/a.jpg",
      "._notes/a.jpg",
    ],
  ],
])("keeps %s", (_what, paths) => {
  for (const path of paths) {
    for (const each of [path, `album/${path}`]) expect([each, isSystemPath(each)]).toEqual([each, false]);
  }
});

test("ordinary files need no code that is loaded later", () => {
  const names = [
    "a.jpg",
    "IMG_1.HEIC",
    "report (2).docx",
    "a",
    "photos/2026/a.jpeg",
    "film.mp4",
    "2026-11-29 notes.txt",
    "Makefile",
  ];
  expect(names.filter((name) => MAY_BE_SYSTEM_FILE.test(name))).toEqual([]);
});
