import { createHash } from 'node:crypto'

/**
 * Returns the entity tag of a response body. The tag is weak, because a strong tag would have to differ for
 * each content encoding of the body.
 */
export function create(body: string | Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/** One entity tag of a list (RFC 9110, section 8.8.3). The group captures the opaque part. */
const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/gy
const SEPARATOR = /[ \t]*,[ \t,]*/gy

/**
 * Returns whether an `If-None-Match` header matches the tag. The header is `*` or a list of tags, which are
 * compared weakly (RFC 9110, section 13.1.2). A malformed header matches nothing.
 */
export function isNamedBy(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const text = header.trim()
  if (text === '*') return true
  const opaque = opaqueTags(text)
  return opaque?.includes(tag.replace(/^W\//, '')) ?? false
}

/** Returns the opaque parts of a list of tags, or undefined if the list is malformed. */
function opaqueTags(text: string): readonly string[] | undefined {
  const tags: string[] = []
  let at = 0
  while (at < text.length) {
    TAG.lastIndex = at
    const found = TAG.exec(text)
    if (found === null) return undefined
    tags.push(found[1] ?? '')
    SEPARATOR.lastIndex = TAG.lastIndex
    at = SEPARATOR.test(text) ? SEPARATOR.lastIndex : TAG.lastIndex
    if (at === TAG.lastIndex && at < text.length) return undefined
  }
  return tags
}
