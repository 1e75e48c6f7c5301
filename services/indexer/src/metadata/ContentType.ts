/** Types that JSON comes as; servers that don't know call it text of any kind, or bytes. */
const READABLE =
  /^(?:application\/(?:[\w.+-]*\+)?(?:x-)?json|text\/(?!event-stream)[\w.+-]+|(?:application|binary)\/octet-stream)$/

/** True where a body of this content type may be JSON; absent or empty it may be anything. */
export function isReadable(contentType = ''): boolean {
  const type = head(contentType).split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || READABLE.test(type)
}

/** The text of a body, in the charset that the type names; UTF-8 where it names none or one that is not known. Never throws. */
export function decode(bytes: Uint8Array, contentType = ''): string {
  const charset = /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i.exec(head(contentType))?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

const head = (contentType: string): string => contentType.slice(0, 1_000)
