import type { TokenKey } from './TokenQueue.ts'

/** Formats of stored images, by their content types. SVG is not among them, because an SVG can contain scripts. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const

export type ImageType = (typeof IMAGE_TYPES)[number]

/** An image of a token, whose bytes have the format that `contentType` names. */
export interface Image {
  readonly contentType: ImageType
  /** Width in pixels. */
  readonly width: number
  /** Height in pixels. */
  readonly height: number
  readonly bytes: Uint8Array
}

/** A token whose image must be copied. */
export interface DueImage extends TokenKey {
  /** URI of the image, as the metadata names it. */
  readonly uri: string
  /** Number of consecutive attempts that failed for a temporary reason. */
  readonly attempts: number
}

/** The result of one attempt to copy a token's image. */
export interface ImageOutcome extends TokenKey {
  /** The URI of the attempt. The result is dropped if the metadata names another one in the meantime. */
  readonly uri: string
  /** The image, or the reason why there is none. */
  readonly result: Image | { readonly failure: string }
  readonly attempts: number
  /** Time from which the image is due again, in Unix seconds; undefined if it is not tried again. */
  readonly retryAt: bigint | undefined
  /** Time of the attempt in Unix seconds. */
  readonly checkedAt: bigint
}

/** Number and total size of stored images. */
export interface ImageUsage {
  readonly images: number
  readonly bytes: number
}

/** The queue of images to copy. The image worker takes tokens from it and writes the results to it. */
export interface ImageQueue {
  /** Returns at most `limit` tokens whose images are due at `now` (Unix seconds). */
  due(limit: number, now: bigint): Promise<readonly DueImage[]>
  /** Stores the results of attempts. */
  store(outcomes: readonly ImageOutcome[]): Promise<void>
  /**
   * Adds tokens after `after`, sorted by contract and id, whose images were never due, for example because images were
   * not copied when the metadata was stored. Returns the last of these tokens, or undefined if there are no more.
   */
  fill(after: TokenKey | undefined): Promise<TokenKey | undefined>
  /** Removes the oldest images until their total size is at most `limit` bytes. Returns the remaining size and number. */
  trim(limit: number): Promise<ImageUsage>
}
