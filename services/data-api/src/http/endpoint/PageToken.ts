import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { DataApiError } from './DataApiError.ts'

/** Content of a page token. */
export interface PageToken {
  /** Heights of the first page. All pages of the list are read at these heights. */
  readonly at: readonly bigint[]
  /** Key of the last item on the page. */
  readonly after: readonly string[]
  /**
   * Parameters of the first page. A parameter that was sent in the request body is represented by a digest of its
   * value.
   */
  readonly query: Readonly<Record<string, string>>
}

/** Encodes and decodes page tokens. All replicas must use the same secret. */
export interface PageTokens {
  /** Encodes a page token as an opaque, URL-safe text. */
  seal(list: string, token: PageToken): string
  /**
   * Decodes a page token of the list with the name `list`.
   * @throws DataApiError `DATA_PAGE_TOKEN` if the token is truncated, forged, or from a different list
   */
  open(list: string, text: string): PageToken
}

const VERSION = 1
const MAC_BYTES = 16
/** A token is base64url without padding. Texts that are too long are rejected before they are decoded. */
const FORM = /^[A-Za-z0-9_-]{24,8192}$/

/**
 * Creates page tokens that are authenticated with a secret of at least 32 bytes. `list` identifies the
 * endpoint and the network. It is part of the authenticated content, so a token of a different list is
 * rejected.
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
      if (!FORM.test(text))
        throw refused('an unchanged token of this service', 'a token with an invalid format')
      const bytes = Buffer.from(text, 'base64url')
      const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
      if (bytes.toString('base64url') !== text || !timingSafeEqual(mac, macOf(body))) {
        throw refused(
          'an unchanged token of this service',
          'a token that was truncated, changed or created elsewhere',
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

/** Parses the authenticated body. Only this service can have written it, so its structure is not checked. */
function parse(list: string, body: Uint8Array): PageToken {
  const [version, name, at, after, query] = JSON.parse(new TextDecoder().decode(body)) as Sealed
  if (version !== VERSION)
    throw refused(
      'a token of the current service version',
      `a token of version ${version}; start again without a token`,
    )
  if (name !== fingerprint(list))
    throw refused('a token of this list', 'a token of a different list or network')
  return { at: at.map(BigInt), after, query }
}

function fingerprint(list: string): string {
  return createHash('sha256').update(list).digest('base64url').slice(0, 11)
}

function refused(expected: string, actual: string): DataApiError {
  return new DataApiError('DATA_PAGE_TOKEN', `pageToken: expected ${expected}, got ${actual}`)
}
