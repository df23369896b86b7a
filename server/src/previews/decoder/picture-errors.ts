/** The bytes are not a picture, a broken one, or one of an unsupported kind. */
export class UnreadablePictureError extends Error {
  override readonly name = 'UnreadablePictureError';
}

/** The picture exceeds a limit. */
export class PictureTooLargeError extends Error {
  override readonly name = 'PictureTooLargeError';
}
