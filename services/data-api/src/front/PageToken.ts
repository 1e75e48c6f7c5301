import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { DataApiError } from '../DataApiError.ts'

/** What a page token keeps for the next page. */
export interface PageToken {
  /** The heights that the first page saw: the whole list is read as of these. */
  readonly at: readonly bigint[]
  /** The key of the last element, as the list's order needs it. */
  readonly after: readonly string[]
  /** The parameters of the first page, so that a token alone is enough. */
  readonly query: Readonly<Record<string, string>>
}

/** Makes and reads tokens; the same secret on every replica. */
export interface PageTokens {
  /** An opaque text, safe in a URL. */
  seal(list: string, token: PageToken): string
  /**
   * The token that a text of `list` holds.
   * @throws DataApiError `DATA_PAGE_TOKEN`: cut, forged, or of another list
   */
  open(list: string, text: string): PageToken
}

const VERSION = 1
const MAC_BYTES = 16
/** Base64url without padding; nothing longer is looked at. */
const FORM = /^[A-Za-z0-9_-]{24,8192}$/

/**
 * Returns page tokens under a secret of at least 32 bytes. `list` names the endpoint and the network, and is signed with the
 * rest: a token of another list is refused as foreign.
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
      if (!FORM.test(text)) throw refused('a token that this service gave, unchanged', 'another text')
      const bytes = Buffer.from(text, 'base64url')
      const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
      if (bytes.toString('base64url') !== text || !timingSafeEqual(mac, macOf(body))) {
        throw refused(
          'a token that this service gave, unchanged',
          'one that was cut, changed or made elsewhere',
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
