/**
 * Extensions of folders that macOS shows as one document or program. Uploaded file by file, they are dozens of files that nobody can open.
 * Extensions that people also give to ordinary folders, such as `.bundle` and `.framework`, are not here.
 */
const PACKAGE_EXTENSIONS: ReadonlySet<string> = new Set(
  [
    // Pages, Numbers and Keynote, before they are saved as single files. Books that Apple's program has opened.
    "pages numbers key kth nmbtemplate epub",
    // Texts with pictures.
    "rtfd textbundle",
    // Programs and what extends macOS.
    "app prefpane kext qlgenerator saver component vst vst3 mpkg pkg scptd workflow",
    // Libraries of pictures, films and music, and a Live Photo.
    "photoslibrary photolibrary migratedphotolibrary aplibrary imovielibrary fcpbundle tvlibrary musiclibrary pvt",
    // Projects of music and screen recordings.
    "band logicx logic screenflow cmproj",
    // Projects of Xcode, and what it makes.
    "xcodeproj xcworkspace xcdatamodeld xcarchive xcresult playground dsym",
    // Drawings, outlines, manuscripts and data.
    "sketch graffle oo3 mindnode scriv dtbase2",
    // Mailboxes of Apple Mail, and disks.
    "mbox sparsebundle",
  ].flatMap((extensions) => extensions.split(" ")),
);

/** Tells whether a folder of this name is one document or program of macOS. */
export function isPackageFolder(name: string): boolean {
  const [, extension = ""] = /[^.].*\.(\w+)$/.exec(name) ?? [];
  return PACKAGE_EXTENSIONS.has(extension.toLowerCase());
}
