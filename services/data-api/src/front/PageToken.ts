import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { DataApiError } from '../DataApiError.ts'

/** The content of a page token. */
export interface PageToken {
  /** The heights of the first page: the whole list is read at these. */
  readonly at: readonly bigint[]
  /** The key of the last element in the list's order. */
  readonly after: readonly string[]
  /** The parameters of the first page, so that a token alone is sufficient. */
  readonly query: Readonly<Record<string, string>>
}

/** Creates and reads tokens; every replica needs the same secret. */
export interface PageTokens {
  /** Returns an opaque text, safe in a URL. */
  seal(list: string, token: PageToken): string
  /**
   * Returns the token in a text of `list`.
   * @throws DataApiError `DATA_PAGE_TOKEN`: truncated, forged, or of another list
   */
  open(list: string, text: string): PageToken
}

const VERSION = 1
const MAC_BYTES = 16
/** Base64url without padding; longer texts are not decoded. */
const FORM = /^[A-Za-z0-9_-]{24,8192}$/

/**
 * Returns page tokens under a secret of at least 32 bytes. `list` names the endpoint and the network, and is
 * signed with the rest: a token of another list is rejected as foreign.
 */
export function createPageTokens(secret: Uint8Array): PageTokens {
  const macOf = (body: Uint8Array) =>
    createHmac('sha256', secret).update(body).digest().subarray(0, MAC_BYTES)
  return {
    seal: (list, { at, after, query }) => {
      const sealed: Sealed = [VERSION, fingerprint(list), at.map(String), after, query]
      const body = Buffer.from(JSON.stringify(sealed))
      return Buffer.concat([macOf(body), body]).toString('base64url')
    },
    open: (list, text) => {
      if (!FORM.test(text)) throw refused('an unchanged token of this service', 'another text')
      const bytes = Buffer.from(text, 'base64url')
      const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
      if (bytes.toString('base64url') !== text || !timingSafeEqual(mac, macOf(body))) {
        throw refused(
          'an unchanged token of this service',
          'one that was truncated, changed or created elsewhere',
        )
      }
      return parse(list, body)
    },
  }
}

type Sealed = readonly [
  version: number,
  list: string,
  at: readonly string[],
  after: readonly string[],
  query: Readonly<Record<string, string>>,
]

/** The body is as it was signed, so its shape is that of the version. */
function parse(list: string, body: Uint8Array): PageToken {
  const [version, name, at, after, query] = JSON.parse(new TextDecoder().decode(body)) as Sealed
  if (version !== VERSION)
    throw refused('a token of this version of the service', `one of version ${version}`)
  if (name !== fingerprint(list)) throw refused('a token of this list', 'one of another list or network')
  return { at: at.map(BigInt), after, query }
}

function fingerprint(list: string): string {
  return createHash('sha256').update(list).digest('base64url').slice(0, 11)
}

function refused(expected: string, actual: string): DataApiError {
  return new DataApiError('DATA_PAGE_TOKEN', `pageToken: expected ${expected}, got ${actual}`)
}
