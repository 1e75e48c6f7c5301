import { IndexerError } from '../common/IndexerError.ts'
import type { Failure } from './Failure.ts'

/**
 * Maximum length of a URI that a contract returns, in UTF-16 code units. It suffices for an image in a
 * `data:` URI.
 */
export const MOST_CHARACTERS = 262_144
/** Maximum length of a fetched URL. Few servers accept longer ones. */
const MOST_URL_CHARACTERS = 8_192

/** Matches CIDs of version 0, and of version 1 in base32, base58, base36 and base16. */
const CID =
  /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{45,200}|B[A-Z2-7]{45,200}|z[1-9A-HJ-NP-Za-km-z]{45,200}|k[0-9a-z]{45,200}|f[0-9a-f]{45,200})$/
const ARWEAVE_ID = /^[A-Za-z0-9_-]{43}$/
const SCHEME = /^([a-z][a-z0-9+.-]{0,30}):/i

/**
 * Gateways for content-addressed storage, as URLs that end in `/`. Successive attempts use the gateways in
 * turn.
 */
export interface Gateways {
  readonly ipfs: readonly string[]
  readonly arweave: readonly string[]
}

/** Public gateways, rate-limited by their operators. */
export const GATEWAYS: Gateways = { ipfs: ['https://ipfs.io/ipfs/'], arweave: ['https://arweave.net/'] }

/**
 * Appends a trailing `/` to gateway URLs without one, because they are used as prefixes of other URLs.
 * @throws IndexerError `INDEXER_CONFIGURATION` if a gateway is not an http or https URL
 */
export function gatewaysOf({ ipfs, arweave }: Gateways): Gateways {
  return { ipfs: ipfs.map(gatewayOf), arweave: arweave.map(gatewayOf) }
}

function gatewayOf(text: string): string {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new IndexerError(
      'INDEXER_CONFIGURATION',
      `metadata gateway: expected an http or https URL, got "${text}"`,
    )
  return url.href
}

/**
 * Location of a token's metadata: a URL, a URL of a gateway, or the content of the token URI itself; or the reason
 * why there is none.
 */
export type Location =
  | { readonly url: URL; readonly gateway: string | undefined }
  | { readonly bytes: Uint8Array; readonly contentType: string }
  | { readonly failure: Failure }

/**
 * Returns the location that a contract's text refers to. Surrounding blanks and control characters are
 * removed. `ipfs:`, `ar:` and bare CIDs become URLs below a gateway, never outside of it. `https:` and
 * `http:` URLs are not changed; the fetch checks them.
 */
export function locate(text: string, gateways: Gateways, attempt = 0): Location {
  const uri = trim(text)
  if (uri === '') return { failure: 'no-uri' }
  const scheme = SCHEME.exec(uri)?.[1]?.toLowerCase()
  if (scheme === 'data') return fromData(uri)
  if (uri.length > MOST_URL_CHARACTERS) return { failure: 'uri-too-long' }
  if (scheme === 'https' || scheme === 'http') {
    const url = URL.parse(uri)
    return url === null ? { failure: 'uri-syntax' } : { url, gateway: undefined }
  }
  if (scheme === 'ar') return behind(gateways.arweave, attempt, ARWEAVE_ID, uri.slice(3))
  if (scheme === 'ipfs')
    return behind(gateways.ipfs, attempt, CID, uri.slice(5).replace(/^\/*(?:ipfs\/)?/, ''))
  return scheme === undefined
    ? behind(gateways.ipfs, attempt, CID, uri.replace(/^\/?ipfs\//, ''))
    : { failure: 'uri-scheme' }
}

/**
 * Replaces `{id}` in the URI of an ERC-1155 token with the token's id, as 64 lowercase hex digits. Overlong
 * text is not changed.
 */
export function substituteId(uri: string, tokenId: bigint): string {
  if (uri.length > MOST_CHARACTERS) return uri
  return uri.replaceAll(/\{id\}|%7Bid%7D/gi, tokenId.toString(16).padStart(64, '0'))
}

function behind(gateways: readonly string[], attempt: number, id: RegExp, rest: string): Location {
  // In an `ipfs:` or `ar:` URI, a `?` starts a query for the server, but a `#` is part of the file name.
  const [path = ''] = rest.replace(/^\/+/, '').split('?', 1)
  const [first = ''] = path.split('/', 1)
  const gateway = gateways[attempt % Math.max(gateways.length, 1)]
  if (!id.test(first)) return { failure: 'uri-syntax' }
  if (gateway === undefined) return { failure: 'uri-scheme' }
  const url = URL.parse(`${gateway}${path.replaceAll('#', '%23')}`)
  // A `..` in any spelling could leave the gateway's folder and reach other content of the gateway's server.
  if (url === null || !`${url.href}/`.startsWith(`${gateway}${first}/`)) return { failure: 'uri-syntax' }
  return { url, gateway }
}

function fromData(uri: string): Location {
  if (uri.length > MOST_CHARACTERS) return { failure: 'too-large' }
  const comma = uri.indexOf(',')
  if (comma < 0) return { failure: 'uri-syntax' }
  const type = uri.slice('data:'.length, comma)
  const bytes = percentDecode(new TextEncoder().encode(uri.slice(comma + 1)))
  const contentType = type.replace(/;\s*base64\s*$/i, '')
  if (contentType === type) return { bytes, contentType }
  const base64 = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\t\n\f\r ]/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) return { failure: 'uri-syntax' }
  return { bytes: new Uint8Array(Buffer.from(base64, 'base64')), contentType }
}

/**
 * Decodes percent escapes. Percent signs that do not start an escape are preserved, because contracts write
 * unescaped JSON into `data:` URIs.
 */
function percentDecode(text: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(text.length)
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const escaped = text[i] === PERCENT ? byteOf(text[i + 1], text[i + 2]) : undefined
    if (escaped !== undefined) i += 2
    bytes[length++] = escaped ?? (text[i] as number)
  }
  return bytes.subarray(0, length)
}

const PERCENT = 0x25

function byteOf(high: number | undefined, low: number | undefined): number | undefined {
  const digits = String.fromCharCode(high ?? 0, low ?? 0)
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

/** Removes surrounding blanks. A regular expression would take quadratic time on long runs of blanks. */
function trim(text: string): string {
  let begin = 0
  let end = text.length
  while (begin < end && text.charCodeAt(begin) <= 0x20) begin++
  while (end > begin && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(begin, end)
}
