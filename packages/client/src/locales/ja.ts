import { plural, createErrors, createHint, joinPresent, type UploadLocale } from "../labels/upload-locale.js";

const files = plural("ja", { other: "#件のファイル" });
const items = plural("ja", { other: "#件" });

const SAVE_FIRST = "先にファイルとして保存してから、そのファイルを選択してください。";

const kinds = { "image/*": "画像", "video/*": "動画", "audio/*": "音声" };

/** Japanese. */
export const ja: UploadLocale = {
  locale: "ja",
  label: "ファイルのアップロード",
  title: "ここにファイルをドラッグ",
  dropNow: "ドロップしてアップロード",
  dropRefused: "これらのファイルは受け付けられません",
  dropAnywhere: "どこにドロップしてもアップロードできます",
  choose: "ファイルを選択",
  chooseFolder: "フォルダーを選択",
  useCamera: "カメラを使用",
  hint: createHint("、", {
    from: (size) => `${size}以上`,
    upTo: (size) => `${size}まで`,
    atMost: (count, locale) => `最大${items(count, locale)}`,
    inAll: (size) => `合計${size}まで`,
  }),
  kinds,
  list: "ファイル",
  total: "すべてのファイル",
  cancel: (name) => `${name} をキャンセル`,
  pause: (name) => `${name} を一時停止`,
  resumePaused: (name) => `${name} を再開`,
  retry: (name) => `${name} を再試行`,
  remove: (name) => `${name} を一覧から削除`,
  discard: "未完了のアップロードを破棄",
  discardWarning: "別のウィンドウや端末で進行中のアップロードもキャンセルされることがあります。",
  discardNow: "破棄",
  discardNot: "残す",
  start: "アップロードを開始",
  pauseAll: "すべて一時停止",
  resumeAll: "すべて再開",
  cancelAll: "すべてキャンセル",
  retryAll: "失敗したファイルを再試行",
  clear: "完了したファイルを消去",
  summary: ({ files: count, active, done, failed, percent }, locale) =>
    active > 0
      ? joinPresent(
          " · ",
          `${files(active, locale)}をアップロード中`,
          percent,
          failed && `${items(failed, locale)}が失敗しました`,
        )
      : joinPresent(
          "、",
          `${items(count, locale)}中${items(done, locale)}をアップロードしました`,
          failed && `${items(failed, locale)}が失敗しました`,
        ),
  uploading: (percent) => `アップロード中 ${percent}`,
  queued: "待機中",
  preparing: "準備中",
  confirming: "仕上げ中",
  paused: "一時停止中",
  startsAgain: "最初からやり直します",
  receiving: "ストレージがこのファイルを受信中です",
  done: "アップロード済み",
  checking: "ウイルスを確認中",
  stopped: "キャンセル済み",
  deleting: "削除中",
  retrying: (attempt, maxAttempts, locale) =>
    `中断されました。再試行しています（${attempt.toLocaleString(locale)}/${maxAttempts.toLocaleString(locale)}）…`,
  sent: (sentSize, size) => `${size}中${sentSize}`,
  timeLeft: (duration) => `残り${duration}`,
  offline: "オフラインです。接続が回復すると、アップロードを再開します。",
  online: "オンラインに戻りました。",
  unreachable: "サーバーに接続できません。サーバーが応答すると、アップロードを再開します。",
  reachable: "サーバーが再び応答しました。",
  emptyFolder: "このフォルダにはファイルがありません。",
  dropMissed: "ファイルはこの枠の中にドロップしてください。",
  packageFolders: (names) => `パッケージフォルダは先に圧縮してください：${names}`,
  saveFirst: SAVE_FIRST,
  leftOut: plural("ja", { other: "システムファイル#件を除外しました。" }),
  required: "先にファイルを選択してください。",
  held: "すべてのファイルのアップロードが終わると、フォームが送信されます。",
  heldFailed: "失敗したファイルがあるため、フォームは送信されませんでした。",
  tray: "アップロード",
  closeTray: "閉じる",
  resumable: "未完了のアップロード",
  resume: "再開",
  resumeFile: (name) => `${name}を再開`,
  discardUpload: "破棄",
  discardFile: (name) => `${name}を破棄`,
  expires: (date) => `有効期限: ${date}`,
  chooseAgain: "再開するには、同じファイルをもう一度選択してください。",
  checkingFile: "ファイルを確認しています",
  lost: (names) =>
    `ページが閉じられたため、アップロードされませんでした：${names}。もう一度選択してください。`,
  resumableFound: plural("ja", { other: "未完了のアップロードが#件あり、再開できます。" }),
  discarded: (name) => `${name}を破棄しました。`,
  added: (count, locale) => `${files(count, locale)}を追加しました。`,
  failed: (name, message) => `${name} は失敗しました。${message}`,
  cancelled: (name) => `${name} をキャンセルしました。`,
  pausedFile: (name) => `${name} を一時停止しました。`,
  resumedFile: (name) => `${name} を再開しました。`,
  pausedFiles: "アップロードを一時停止しました。",
  resumedFiles: "アップロードを再開しました。",
  deleted: (name) => `${name} を削除しました。`,
  notDeleted: (name, message) => `${name} を削除できませんでした。${message}`,
  progress: (percent) => `${percent}アップロードしました。`,
  finished: (done, failed, locale) =>
    joinPresent(
      "",
      done === 0
        ? "アップロードされたファイルはありません。"
        : `${files(done, locale)}をアップロードしました。`,
      failed && `${files(failed, locale)}が失敗しました。`,
    ),
  changePicture: "画像を変更",
  grid: {
    list: "ファイル",
    empty: "ファイルはまだありません。",
    loading: "ファイルを読み込んでいます…",
    more: "さらに表示",
    tryAgain: "再試行",
  },
  errors: createErrors(kinds, {
    refused: "アップロードが拒否されました。もう一度試すか、別のファイルを選択してください。",
    later: "現在サービスを利用できません。しばらくしてからもう一度お試しください。",
    lost: "ファイルがストレージに届きませんでした。もう一度お試しください。",
    file_type_not_accepted: (kinds) =>
      joinPresent("", "この種類のファイルは受け付けられません。", kinds && `${kinds} を選択してください。`),
    file_too_large: (size) =>
      size === undefined
        ? "このファイルは大きすぎます。より小さいファイルを選択してください。"
        : `このファイルは${size}を超えています。より小さいファイルを選択してください。`,
    file_too_small: (size) => `このファイルは${size}より小さいです。より大きいファイルを選択してください。`,
    too_many_files: (count, locale) =>
      count === 1
        ? "アップロードできるファイルは1件だけです。先にもう一方を削除してください。"
        : `アップロードできるファイルは${items(count, locale)}までです。先に別のファイルを削除してください。`,
    total_size_exceeded: (size) => `ファイルは合計${size}までです。先に別のファイルを削除してください。`,
    duplicate_file: "このファイルはすでに一覧にあります。",
    file_not_saved: SAVE_FIRST,
    validation_failed: "このファイルを確認できませんでした。もう一度お試しください。",
    transform_failed: "このファイルを準備できませんでした。もう一度試すか、別のファイルを選択してください。",
    different_file: (name, size) => `これは別のファイルです。${name}（${size}）を選択してください。`,
    file_unreadable: "このファイルは変更、移動、または削除されました。もう一度選択してください。",
    image_unreadable: "この画像を開けません。別の画像を選択してください。",
    network_error: "接続が切れました。接続を確認して、もう一度お試しください。",
    server_unreachable:
      "サーバーに接続できません。接続を確認するか、しばらくしてからもう一度お試しください。",
    storage_unreachable:
      "ストレージに接続できません。接続を確認するか、しばらくしてからもう一度お試しください。",
    local_network_denied:
      "ブラウザーがこのページによるローカルネットワークへのアクセスを許可していません。このサイトの設定で許可してから、もう一度お試しください。",
    timed_out: "アップロードが止まりました。接続を確認して、もう一度お試しください。",
    storage_refused: "ストレージがアップロードを拒否しました。もう一度試すか、管理者に連絡してください。",
    internal_error: "このサイトで問題が発生しました。後でもう一度試すか、管理者に連絡してください。",
    storage_unavailable: "現在ストレージを利用できません。しばらくしてからもう一度お試しください。",
    unexpected_answer: "サーバーから予期しない応答がありました。もう一度試すか、管理者に連絡してください。",
    unauthorized: "サインアウトしています。サインインして、もう一度お試しください。",
    quota_exceeded: "空き容量が足りません。容量を空けるか、管理者に連絡してください。",
    file_limit_exceeded: "これ以上ファイルを保存できません。ファイルを削除するか、管理者に連絡してください。",
    unfinished_uploads: (size) => `完了していないアップロードが保存容量の ${size} を使用しています。`,
    too_many_requests: "一度にアップロードするファイルが多すぎます。しばらくしてからもう一度お試しください。",
    filename_required: "このファイルには名前がありません。名前を付けて、もう一度選択してください。",
    delete_refused: "このファイルはここでは削除できません。",
    update_refused: "このファイルはここでは変更できません。",
    list_refused: "ここではファイルを表示できません。",
    download_refused: "このファイルはここではダウンロードできません。",
    share_refused: "このファイルはここでは共有できません。",
    file_not_found: "このファイルが見つかりません。削除された可能性があります。",
    file_not_scanned: "このファイルはウイルススキャン中です。少し待ってからもう一度お試しください。",
    file_quarantined: "このファイルはウイルススキャンによりブロックされました。",
    callback_failed: "ファイルは届きましたが、処理できませんでした。もう一度お試しください。",
    cross_site: "このページからのアップロードは許可されていません。",
  }),
};
