import { plural, createErrors, createHint, joinPresent, type UploadLocale } from "./upload-locale.js";

const files = plural("ko", { other: "파일 #개" });
const items = plural("ko", { other: "#개" });

const kinds = { "image/*": "이미지", "video/*": "동영상", "audio/*": "오디오" };

/** Korean. */
export const ko: UploadLocale = {
  locale: "ko",
  label: "파일 업로드",
  title: "여기로 파일을 끌어다 놓으세요",
  dropNow: "놓으면 업로드됩니다",
  dropRefused: "이 파일은 받을 수 없습니다",
  dropAnywhere: "아무 곳에나 놓으면 업로드됩니다",
  choose: "파일 선택",
  chooseFolder: "폴더 선택",
  useCamera: "카메라 사용",
  hint: createHint(", ", {
    from: (size) => `${size} 이상`,
    upTo: (size) => `최대 ${size}`,
    atMost: (count, locale) => `최대 ${items(count, locale)}`,
    inAll: (size) => `모두 합해 ${size}까지`,
  }),
  kinds,
  list: "파일",
  total: "모든 파일",
  cancel: (name) => `${name} 취소`,
  retry: (name) => `${name} 다시 시도`,
  remove: (name) => `${name} 제거`,
  discard: "완료되지 않은 업로드 삭제",
  discardWarning: "다른 창이나 기기에서 진행 중인 업로드도 취소될 수 있습니다.",
  discardNow: "삭제",
  discardNot: "유지",
  start: "업로드 시작",
  cancelAll: "모두 취소",
  retryAll: "실패한 파일 다시 시도",
  clear: "끝난 파일 지우기",
  summary: ({ files: count, active, done, failed, percent }, locale) =>
    active > 0
      ? joinPresent(
          " · ",
          `${files(active, locale)} 업로드 중`,
          percent,
          failed && `${items(failed, locale)} 실패`,
        )
      : joinPresent(
          ", ",
          `${files(count, locale)} 중 ${items(done, locale)} 업로드됨`,
          failed && `${items(failed, locale)} 실패`,
        ),
  uploading: (percent) => `업로드 중 ${percent}`,
  queued: "대기 중",
  preparing: "준비 중",
  confirming: "마무리 중",
  done: "업로드됨",
  stopped: "취소됨",
  deleting: "삭제 중",
  retrying: (attempt, maxAttempts, locale) =>
    `중단되었습니다. 다시 시도하는 중(${attempt.toLocaleString(locale)}/${maxAttempts.toLocaleString(locale)})…`,
  sent: (sentSize, size) => `${size} 중 ${sentSize}`,
  timeLeft: (duration) => `${duration} 남음`,
  offline: "오프라인 상태입니다. 연결되면 업로드를 계속합니다.",
  online: "다시 온라인 상태입니다.",
  unreachable: "서버에 연결할 수 없습니다. 서버가 응답하면 업로드를 계속합니다.",
  reachable: "서버가 다시 응답합니다.",
  emptyFolder: "이 폴더에는 파일이 없습니다.",
  dropMissed: "파일을 이 영역 안에 놓으세요.",
  required: "먼저 파일을 선택하세요.",
  held: "모든 파일이 업로드되면 양식이 제출됩니다.",
  heldFailed: "실패한 파일이 있어 양식이 제출되지 않았습니다.",
  tray: "업로드",
  closeTray: "닫기",
  resumable: "완료되지 않은 업로드",
  resume: "계속",
  resumeFile: (name) => `${name} 계속`,
  discardUpload: "삭제",
  discardFile: (name) => `${name} 삭제`,
  expires: (date) => `만료: ${date}`,
  chooseAgain: "계속하려면 같은 파일을 다시 선택하세요.",
  checkingFile: "파일 확인 중",
  resumableFound: plural("ko", { other: "완료되지 않은 업로드 #개를 계속할 수 있습니다." }),
  discarded: (name) => `${name} 업로드를 삭제했습니다.`,
  added: (count, locale) => `${files(count, locale)}를 추가했습니다.`,
  failed: (name, message) => `${name} 업로드에 실패했습니다. ${message}`,
  cancelled: (name) => `${name} 업로드를 취소했습니다.`,
  deleted: (name) => `${name} 파일을 삭제했습니다.`,
  notDeleted: (name, message) => `${name} 파일을 삭제하지 못했습니다. ${message}`,
  progress: (percent) => `${percent} 업로드되었습니다.`,
  finished: (done, failed, locale) =>
    joinPresent(
      " ",
      done === 0 ? "업로드된 파일이 없습니다." : `${files(done, locale)}를 업로드했습니다.`,
      failed && `${files(failed, locale)}가 실패했습니다.`,
    ),
  errors: createErrors(kinds, {
    refused: "업로드가 거부되었습니다. 다시 시도하거나 다른 파일을 선택하세요.",
    later: "지금은 서비스를 사용할 수 없습니다. 잠시 후 다시 시도하세요.",
    lost: "파일이 저장소에 도착하지 않았습니다. 다시 시도하세요.",
    file_type_not_accepted: (kinds) =>
      joinPresent(" ", "이 형식의 파일은 받을 수 없습니다.", kinds && `다음 형식을 선택하세요: ${kinds}`),
    file_too_large: (size) =>
      size === undefined
        ? "이 파일은 너무 큽니다. 더 작은 파일을 선택하세요."
        : `이 파일은 ${size}보다 큽니다. 더 작은 파일을 선택하세요.`,
    file_too_small: (size) => `이 파일은 ${size}보다 작습니다. 더 큰 파일을 선택하세요.`,
    too_many_files: (count, locale) =>
      count === 1
        ? "파일을 하나만 업로드할 수 있습니다. 먼저 다른 파일을 제거하세요."
        : `파일은 ${items(count, locale)}까지만 업로드할 수 있습니다. 먼저 다른 파일을 제거하세요.`,
    total_size_exceeded: (size) =>
      `모든 파일을 합해 ${size}를 넘을 수 없습니다. 먼저 다른 파일을 제거하세요.`,
    duplicate_file: "이 파일은 이미 목록에 있습니다.",
    validation_failed: "이 파일을 확인하지 못했습니다. 다시 시도하세요.",
    transform_failed: "이 파일을 준비하지 못했습니다. 다시 시도하거나 다른 파일을 선택하세요.",
    different_file: (name, size) => `다른 파일입니다. ${name}(${size}) 파일을 선택하세요.`,
    file_unreadable: "이 파일이 변경, 이동 또는 삭제되었습니다. 다시 선택하세요.",
    network_error: "연결이 끊어졌습니다. 연결을 확인하고 다시 시도하세요.",
    server_unreachable: "서버에 연결할 수 없습니다. 연결을 확인하거나 나중에 다시 시도하세요.",
    storage_unreachable: "저장소에 연결할 수 없습니다. 연결을 확인하거나 나중에 다시 시도하세요.",
    timed_out: "업로드가 멈췄습니다. 연결을 확인하고 다시 시도하세요.",
    storage_refused: "저장소가 이 파일을 거부했습니다. 다시 시도하세요.",
    storage_unavailable: "지금은 저장소를 사용할 수 없습니다. 잠시 후 다시 시도하세요.",
    unexpected_answer: "서버가 예상치 못한 응답을 보냈습니다. 다시 시도하거나 운영자에게 알리세요.",
    unauthorized: "로그아웃되었습니다. 로그인한 후 다시 시도하세요.",
    quota_exceeded: "저장 공간이 부족합니다. 일부 파일을 삭제하고 다시 시도하세요.",
    unfinished_uploads: (size) => `완료되지 않은 업로드가 저장 공간 ${size}를 차지하고 있습니다.`,
    too_many_requests: "한 번에 업로드하는 파일이 너무 많습니다. 잠시 후 다시 시도하세요.",
    filename_required: "이 파일에는 이름이 없습니다. 이름을 지정하고 다시 선택하세요.",
    delete_refused: "이 파일은 여기서 삭제할 수 없습니다.",
    list_refused: "여기서는 파일을 표시할 수 없습니다.",
    download_refused: "이 파일은 여기서 다운로드할 수 없습니다.",
    file_not_found: "이 파일을 찾을 수 없습니다. 삭제되었을 수 있습니다.",
    callback_failed: "파일은 도착했지만 처리하지 못했습니다. 다시 시도하세요.",
    cross_site: "이 페이지에서는 업로드할 수 없습니다.",
  }),
};
