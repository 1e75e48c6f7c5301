import { createHmac, timingSafeEqual } from 'node:crypto'

/** Time for which a link can be used, in milliseconds. */
export const LIFETIME_MS: number = 600_000

/**
 * A code has these parts: time until which it is valid, in Unix seconds (4 bytes), port of the service (2 bytes), random
 * bytes (16) and the HMAC-SHA256 of all these under the token (32 bytes).
 */
const RANDOM_AT = 6
const MAC_AT = 22
const BYTES = 54

/** Clock and randomness of links. */
export interface LinkOptions {
  /** Returns milliseconds since 1970. */
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
}

/**
 * Returns an address of the console that signs a browser in, once, within ten minutes. The code is behind `#`, which
 * browsers send neither to servers nor as a referrer. It is derived from the token, so that no request is needed.
 * @param url URL of the service on this machine, such as `http://127.0.0.1:8700`
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { OperatorLink } from '@firn/operate'
 *
 * const options = { now: Date.now, random: randomBytes }
 * OperatorLink.create('firnop_…', 'http://127.0.0.1:8700', options) // 'http://127.0.0.1:8700/#operator=…'
 * ```
 */
export function create(token: string, url: string, options: LinkOptions): string {
  return `${new URL('/', url).href}#operator=${createCode(token, url, options)}`
}

/**
 * Returns the code of a link alone, for programs that sign in without a browser.
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto'
 * import { OperatorLink } from '@firn/operate'
 *
 * const options = { now: Date.now, random: randomBytes }
 * const code = OperatorLink.createCode('firnop_…', 'http://127.0.0.1:8700', options)
 * ```
 */
export function createCode(token: string, url: string, { now, random }: LinkOptions): string {
  const { port, protocol } = new URL(url)
  const code = Buffer.alloc(BYTES)
  code.writeUInt32BE(Math.floor((now() + LIFETIME_MS) / 1000))
  code.writeUInt16BE(port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port), 4)
  code.set(random(MAC_AT - RANDOM_AT), RANDOM_AT)
  code.set(macOf(token, code), MAC_AT)
  return code.toString('base64url')
}

/** A code that is valid now. */
export interface Code {
  /** Identifies the code, so that it can be refused the second time. */
  readonly id: string
  /** Time until which it is valid, in milliseconds since 1970. */
  readonly until: number
}

/**
 * Returns the code that a text contains, if it is valid at `now`, in milliseconds since 1970, for the service at the
 * port; otherwise undefined.
 * @example
 * ```ts
 * import { OperatorLink } from '@firn/operate'
 *
 * OperatorLink.verify('the token of the data folder', 'not a code', 8700, Date.now()) // undefined
 * ```
 */
export function verify(token: string, text: string, port: number | undefined, now: number): Code | undefined {
  const code = Buffer.from(text, 'base64url')
  if (code.length !== BYTES || !timingSafeEqual(code.subarray(MAC_AT), macOf(token, code))) return undefined
  const until = code.readUInt32BE() * 1000
  const isValid = until > now && until <= now + LIFETIME_MS && code.readUInt16BE(4) === port
  return isValid ? { id: code.toString('base64url', RANDOM_AT, MAC_AT), until } : undefined
}

function macOf(token: string, code: Uint8Array): Buffer {
  return createHmac('sha256', token).update('operator link').update(code.subarray(0, MAC_AT)).digest()
}
