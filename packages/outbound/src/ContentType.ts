/**
 * Matches content types that are accepted for JSON. Misconfigured servers send JSON as another kind of text
 * or as plain bytes.
 */
const READABLE =
  /^(?:application\/(?:[\w.+-]*\+)?(?:x-)?json|text\/(?!event-stream)[\w.+-]+|(?:application|binary)\/octet-stream)$/

/**
 * Returns whether a body of this content type may be JSON. An absent or empty type counts as JSON.
 *
 * @example
 * ```ts
 * import { ContentType } from '@firn/outbound'
 *
 * ContentType.isReadable('image/png') // false
 * ```
 */
export function isReadable(contentType = ''): boolean {
  const type = head(contentType).split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || READABLE.test(type)
}

/**
 * Decodes a body with the charset of its content type. Uses UTF-8 if the charset is absent or unknown. Never
 * throws.
 *
 * @example
 * ```ts
 * import { ContentType } from '@firn/outbound'
 *
 * ContentType.decode(new Uint8Array([0xe9]), 'text/plain; charset=latin1') // 'é'
 * ```
 */
export function decode(bytes: Uint8Array, contentType = ''): string {
  const charset = /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i.exec(head(contentType))?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

const head = (contentType: string): string => contentType.slice(0, 1_000)
