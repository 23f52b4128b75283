import { plural, createErrors, createHint, joinPresent, type UploadLocale } from "./upload-locale.js";

const files = plural("zh-CN", { other: "# 个文件" });
const items = plural("zh-CN", { other: "# 个" });

const kinds = { "image/*": "图片", "video/*": "视频", "audio/*": "音频" };

/** Simplified Chinese. */
export const zhCN: UploadLocale = {
  locale: "zh-CN",
  label: "上传文件",
  title: "将文件拖到此处",
  dropNow: "松开即可上传",
  dropRefused: "不接受这些文件",
  dropAnywhere: "在任意位置松开即可上传",
  choose: "选择文件",
  chooseFolder: "选择文件夹",
  useCamera: "使用相机",
  hint: createHint("，", {
    from: (size) => `不小于 ${size}`,
    upTo: (size) => `不超过 ${size}`,
    atMost: (count, locale) => `最多 ${files(count, locale)}`,
    inAll: (size) => `总共不超过 ${size}`,
  }),
  kinds,
  list: "文件",
  total: "全部文件",
  cancel: (name) => `取消 ${name}`,
  retry: (name) => `重试 ${name}`,
  remove: (name) => `移除 ${name}`,
  discard: "放弃未完成的上传",
  discardWarning: "其他窗口或设备上正在进行的上传也可能被取消。",
  discardNow: "放弃",
  discardNot: "保留",
  start: "开始上传",
  cancelAll: "全部取消",
  retryAll: "重试失败的文件",
  clear: "清除已结束的文件",
  summary: ({ files: count, active, done, failed, percent }, locale) =>
    active > 0
      ? joinPresent(
          " · ",
          `正在上传 ${files(active, locale)}`,
          percent,
          failed && `失败 ${items(failed, locale)}`,
        )
      : joinPresent(
          "，",
          `共 ${files(count, locale)}，已上传 ${items(done, locale)}`,
          failed && `失败 ${items(failed, locale)}`,
        ),
  uploading: (percent) => `正在上传 ${percent}`,
  queued: "等待中",
  preparing: "正在准备",
  confirming: "即将完成",
  done: "已上传",
  stopped: "已取消",
  deleting: "正在删除",
  retrying: (attempt, maxAttempts, locale) =>
    `上传中断，正在重试（第 ${attempt.toLocaleString(locale)} 次，共 ${maxAttempts.toLocaleString(locale)} 次）…`,
  sent: (sentSize, size) => `${sentSize}，共 ${size}`,
  timeLeft: (duration) => `剩余 ${duration}`,
  offline: "您已离线。连接恢复后将继续上传。",
  online: "您已重新联网。",
  unreachable: "无法连接到服务器。服务器响应后将继续上传。",
  reachable: "服务器已恢复响应。",
  emptyFolder: "此文件夹中没有文件。",
  dropMissed: "请将文件拖放到此区域内。",
  required: "请先选择文件。",
  held: "所有文件上传完成后将提交表单。",
  heldFailed: "有文件上传失败，表单未提交。",
  tray: "上传",
  closeTray: "关闭",
  added: (count, locale) => `已添加 ${files(count, locale)}。`,
  failed: (name, message) => `${name} 上传失败。${message}`,
  cancelled: (name) => `已取消 ${name}。`,
  deleted: (name) => `已删除 ${name}。`,
  notDeleted: (name, message) => `未能删除 ${name}。${message}`,
  progress: (percent) => `已上传 ${percent}。`,
  finished: (done, failed, locale) =>
    joinPresent(
      "",
      done === 0 ? "没有上传任何文件。" : `已上传 ${files(done, locale)}。`,
      failed && `${files(failed, locale)}失败。`,
    ),
  errors: createErrors(kinds, {
    refused: "上传被拒绝。请重试，或选择其他文件。",
    later: "服务暂时不可用。请稍后重试。",
    lost: "文件未能到达存储空间。请重试。",
    file_type_not_accepted: (kinds) => joinPresent("", "不接受此类文件。", kinds && `请选择 ${kinds}。`),
    file_too_large: (size) =>
      size === undefined ? "此文件太大。请选择较小的文件。" : `此文件超过 ${size}。请选择较小的文件。`,
    file_too_small: (size) => `此文件小于 ${size}。请选择较大的文件。`,
    too_many_files: (count, locale) =>
      count === 1
        ? "只能上传一个文件。请先移除另一个文件。"
        : `最多只能上传 ${files(count, locale)}。请先移除其他文件。`,
    total_size_exceeded: (size) => `所有文件总共不能超过 ${size}。请先移除其他文件。`,
    duplicate_file: "此文件已在列表中。",
    validation_failed: "无法检查此文件。请重试。",
    transform_failed: "无法处理此文件。请重试，或选择其他文件。",
    file_unreadable: "此文件已被更改、移动或删除。请重新选择。",
    network_error: "连接已断开。请检查网络后重试。",
    server_unreachable: "无法连接到服务器。请检查网络，或稍后重试。",
    storage_unreachable: "无法连接到存储空间。请检查网络，或稍后重试。",
    timed_out: "上传停止不动。请检查网络后重试。",
    storage_refused: "存储空间拒绝了此文件。请重试。",
    storage_unavailable: "存储空间暂时不可用。请稍后重试。",
    unexpected_answer: "服务器返回了意外的响应。请重试，或告知管理员。",
    unauthorized: "您已退出登录。请登录后重试。",
    quota_exceeded: "存储空间不足。请删除一些文件后重试。",
    unfinished_uploads: (size) => `未完成的上传占用了 ${size} 的存储空间。`,
    too_many_requests: "同时上传的文件过多。请稍后重试。",
    filename_required: "此文件没有名称。请为其命名后重新选择。",
    delete_refused: "无法在此处删除此文件。",
    list_refused: "无法在此处显示您的文件。",
    download_refused: "无法在此处下载此文件。",
    file_not_found: "找不到此文件，可能已被删除。",
    callback_failed: "文件已送达，但未能处理。请重试。",
    cross_site: "不允许从此页面上传。",
  }),
};
