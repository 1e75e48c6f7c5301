import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import * as AcceptEncoding from './AcceptEncoding.ts'

/** A response that is the same for all callers. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** The headers of a request that decide about the answer. */
export type RequestHeaders = Pick<IncomingHttpHeaders, 'accept-encoding' | 'if-none-match'>

/** A file that does not change while the process runs. Each compressed form is made at most once, and kept. */
export interface StaticFile {
  readonly bytes: Uint8Array
  /** Returns the answer to a request: the file in the encoding that the client prefers, or 304 if it has the file. */
  answer(headers: RequestHeaders, more?: Readonly<Record<string, string>>): Promise<Answer>
}

/** Compressed forms of a file, by encoding. */
export type Encoded = Readonly<Partial<Record<AcceptEncoding.Encoding, Uint8Array>>>

/** Smaller files are not worth compressing. */
const LEAST_BYTES = 1_024
/** Brotli's level for files that are compressed at run time: a tenth of the time of the highest, 15 % larger. */
const BROTLI_QUALITY = 5

const COMPRESS: Readonly<Record<AcceptEncoding.Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes),
}

/**
 * Creates a file. It is compressed when it is first requested, outside the main thread, unless `encoded` has the
 * compressed forms. Clients must check with its tag whether they still have it, unless headers of
 * {@link StaticFile.answer} say otherwise.
 * @example
 * ```ts
 * import { StaticFile } from '@firn/http'
 *
 * const file = StaticFile.create('application/json; charset=utf-8', JSON.stringify({ openapi: '3.1.0' }))
 * const { status, headers } = await file.answer({ 'accept-encoding': 'br' })
 * ```
 */
export function create(contentType: string, content: string | Uint8Array, encoded?: Encoded): StaticFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const forms = new Map<AcceptEncoding.Encoding, Promise<Uint8Array>>()
  let tag: string | undefined
  const formOf = (encoding: AcceptEncoding.Encoding): Promise<Uint8Array> => {
    const form = forms.get(encoding) ?? Promise.resolve(encoded?.[encoding] ?? COMPRESS[encoding](bytes))
    forms.set(encoding, form)
    return form
  }
  return {
    bytes,
    async answer(headers, more = {}) {
      const isSmall = encoded === undefined && bytes.length < LEAST_BYTES
      const encoding = isSmall ? undefined : AcceptEncoding.choose(headers['accept-encoding'])
      tag ??= createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
      const etag = `"${tag}${encoding ?? ''}"`
      const sent = {
        'content-type': contentType,
        'cache-control': 'no-cache',
        vary: 'accept-encoding',
        'x-content-type-options': 'nosniff',
        etag,
        ...more,
      }
      if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: sent, body: '' }
      if (encoding === undefined) return { status: 200, headers: sent, body: bytes }
      return {
        status: 200,
        headers: { ...sent, 'content-encoding': encoding },
        body: await formOf(encoding),
      }
    },
  }
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (header?.trim() === '*') return true
  // Proxies that compress answers make tags weak.
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
