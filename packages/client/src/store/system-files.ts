/**
 * Tells whether an operating system or a program made a file for itself, and not for a person: a file of the system, a lock, a file in
 * the trash, or a part of a download that has not ended.
 *
 * `MAY_BE_SYSTEM_FILE` must match every path for which this is true.
 *
 * @param path of a file inside the folder that was dropped or chosen, such as `photos/.DS_Store`; else its name
 */
export const isSystemPath = (path: string): boolean => SYSTEM_FILE.test(path) || SYSTEM_FOLDER.test(path);

/** The last part of a path. Without respect to case, because the systems of most of these files have none. */
const SYSTEM_FILE = anyOf("$", [
  // macOS: attributes of a file (`._.` is of a disk), of a folder, its picture (a carriage return, or what SMB makes of it), of a disk.
  /\._.+/,
  /\.ds_store/,
  /icon[\r\uf00d]/,
  /\.(localized|apdisk|lsoverride|volumeicon\.icns)/,
  /\.com\.apple\.timemachine\..+/,
  // Windows, and the streams of NTFS that become files on Linux.
  /(eh)?thumbs(_vista)?\.db(:encryptable)?/,
  /desktop\.ini/,
  /(pagefile|hiberfil|swapfile)\.sys/,
  /.+:zone\.identifier/,
  // KDE, and files that are deleted while a program has them open, on NFS and FUSE.
  /\.directory/,
  /\.(nfs|fuse_hidden)[\da-f]{8,}/,
  // Android: no media here; in the trash, or not complete.
  /\.nomedia/,
  /\.(trashed|pending)-\d+-.+/,
  // Locks and drafts of Microsoft Office, LibreOffice, WPS, InDesign, AutoCAD and Access.
  /~\$.+/,
  /\.~.+/,
  /~.*\.tmp/,
  /.+\.(idlk|dwl2?|laccdb)/,
  // Emacs's locks; Vim's and Kate's swap files. `.swf` is a film.
  /\.#.+/,
  /\.(.+\.)?(sw[g-px]|swpx|kate-swp)/,
  // Files that a program has not finished to save: GTK, macOS.
  /\.goutputstream-\w{6}/,
  /.+\.sb-[\da-f]{8}-\w{6}/,
  // Downloads that have not ended: Chromium, Opera, WinSCP, aria2. Firefox and others write `film.mp4.part`, and Internet Explorer
  // `film.mp4.x8k2m0q.partial`. `bracket.part` may be a drawing, `bracket.v2.part` too. `jquery.js.download` is a script of a saved page.
  /.+\.(crdownload|opdownload|filepart|aria2)/,
  /.+\.(7z|gz|xz|[a-z]\w{2,3})\.part/,
  /.+\.\w{7}\.partial/,
  // Programs that synchronize.
  /\.dropbox(\.attr)?/,
  /\.syncthing\..+\.tmp/,
]);

/** A folder of a path. */
const SYSTEM_FOLDER = anyOf("/", [
  // macOS: what its archives and disks contain beside the files.
  /__macosx/,
  /\.(spotlight-v100|trashes|trash|fseventsd|temporaryitems|documentrevisions-v100)/,
  /\.apple(double|db|desktop)/,
  /network trash folder/,
  // Windows.
  /\$recycle\.bin/,
  /system volume information/,
  // Linux and Android.
  /lost\+found/,
  /\.trash-\d+/,
  /\.thumbnails/,
  // Synology and QNAP.
  /@eadir/,
  /#recycle/,
  /@recycle/,
  /\.@__thumb/,
  // A download of Safari that has not ended.
  /[^/]+\.\w{2,7}\.download/,
  // Programs that synchronize.
  /\.dropbox\.cache/,
  /\.tmp\.drive(down|up)load/,
  /\.st(folder|versions)/,
]);

function anyOf(end: "$" | "/", patterns: RegExp[]): RegExp {
  const names = patterns.map(({ source }) => source.replaceAll(".+", "[^/]+").replaceAll(".*", "[^/]*"));
  return new RegExp(`(^|/)(${names.join("|")})${end}`, "i");
}
