/** The texts of `FileGrid`. */
export interface FileGridLabels {
  /** Accessible name of the list. */
  list: string;
  empty: string;
  loading: string;
  more: string;
  tryAgain: string;
}

export const englishGridLabels: FileGridLabels = {
  list: "Files",
  empty: "No files yet.",
  loading: "Loading files…",
  more: "Show more",
  tryAgain: "Try again",
};

/** The texts of `UploadAvatar` that the widget does not have. */
export interface UploadAvatarLabels {
  /** The button that opens the file picker. */
  changePicture: string;
}

export const englishAvatarLabels: UploadAvatarLabels = { changePicture: "Change picture" };
