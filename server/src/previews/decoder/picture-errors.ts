/** The bytes are no picture, a broken one, or one of a kind that is not decoded. */
export class UnreadablePictureError extends Error {
  override readonly name = 'UnreadablePictureError';
}

/** The picture is over a limit. */
export class PictureTooLargeError extends Error {
  override readonly name = 'PictureTooLargeError';
}
