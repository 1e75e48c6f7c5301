import { createHash } from 'node:crypto'
import { Hex } from '@firn/codec'
import { type EvmStore, type ImageType, sqlImageQueue } from '@firn/evm-store'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { database } from '@firn/sql/testing'
import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { createAccess } from '../../http/admission/Access.ts'
import { restPlugin, serverOptions } from '../../http/RestPlugin.ts'
import { evmContextOf } from '../../testing/serveEvm.ts'
import { evmEndpoints } from '../Endpoints.ts'
import { getImage } from './getImage.ts'

const CHAIN = '/v1/chains/43112'
const BYTES = Buffer.from('GIF89a<script>alert(1)</script>')
const HASH = Hex.encode(new Uint8Array(createHash('sha256').update(BYTES).digest()))
const URI = 'ipfs://x/1.gif'

let store: EvmStore
let server: FastifyInstance
let token: { contract: Uint8Array; tokenId: bigint }
const ask = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'GET', url, headers })

/** Stores an image for the first token. */
async function storeImage(contentType: ImageType = 'image/gif', checkedAt = 100n): Promise<void> {
  const result = { contentType, width: 1, height: 1, bytes: BYTES }
  const outcome = { ...token, uri: URI, result, attempts: 0, retryAt: undefined, checkedAt }
  await sqlImageQueue(store).store([outcome])
}

beforeAll(async () => {
  store = await recordedEvmStore('c')
  const [first] = await database(store).selectFrom('token').selectAll().where('standard', '=', 721).execute()
  token = { contract: first?.contract ?? new Uint8Array(), tokenId: first?.token_id ?? 0n }
  const key = { contract: token.contract, token_id: token.tokenId }
  await database(store)
    .insertInto('token_metadata')
    .values({
      ...{ ...key, uri: 'ipfs://x/1', index_status: 'INDEXED', checked_at: 1n, attempts: 0, retry_at: null },
      metadata: JSON.stringify({ name: 'One', imageUri: URI }),
    })
    .execute()
  await database(store)
    .insertInto('token_image')
    .values({ ...key, hash: null, failure: null, attempts: 0, retry_at: 0n })
    .execute()
  const context = await evmContextOf([store])
  const none = { unitsPerMinute: 0, unitsPerDay: 0 }
  const access = createAccess({ keys: async () => [], counters: undefined, anonymous: none, keyed: none })
  server = fastify(serverOptions)
  const endpoints = evmEndpoints(context)
  const downloads = [getImage(context)]
  await server.register(
    restPlugin({ title: 'Firn', version: '0', endpoints, downloads, access, timeoutMs: 600_000 }),
  )
})

describe('GET /v1/chains/{chainId}/nfts/images/{imageHash}', () => {
  test('sends a stored image as a file that browsers may cache forever and never run', async () => {
    const path = `${CHAIN}/nfts/collections/${Hex.encode(token.contract)}/tokens/${token.tokenId}`
    expect((await ask(path)).json().metadata).not.toHaveProperty('imageHash')
    await storeImage()
    expect((await ask(path)).json().metadata).toMatchObject({ imageUri: URI, imageHash: HASH })
    const { statusCode, headers, rawPayload } = await ask(`${CHAIN}/nfts/images/${HASH}`)
    expect([statusCode, rawPayload]).toEqual([200, BYTES])
    expect(headers).toMatchObject({
      'content-type': 'image/gif',
      'content-length': String(BYTES.length),
      'content-disposition': `attachment; filename="${HASH.slice(2)}.gif"`,
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${HASH.slice(2)}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'referrer-policy': 'no-referrer',
    })
  })

  test('sends no image that the client has already', async () => {
    await storeImage()
    const found = await ask(`${CHAIN}/nfts/images/${HASH}`, { 'if-none-match': `W/"${HASH.slice(2)}"` })
    expect([found.statusCode, found.body, found.headers.etag]).toEqual([304, '', `"${HASH.slice(2)}"`])
    expect(found.headers['cache-control']).toContain('immutable')
  })

  test('returns 404 for an image that is not stored, or no longer, and 400 for a hash of another form', async () => {
    const other = `0x${'0'.repeat(64)}`
    const missing = await ask(`${CHAIN}/nfts/images/${other}`)
    expect([missing.statusCode, missing.json().message]).toEqual([404, expect.stringContaining('imageHash')])
    expect(missing.headers['cache-control'] ?? '').not.toContain('immutable')
    await storeImage()
    await sqlImageQueue(store).trim(0)
    expect((await ask(`${CHAIN}/nfts/images/${HASH}`)).statusCode).toBe(404)
    for (const wrong of ['0x12', HASH.slice(2), '..%2f..%2fetc%2fpasswd', `${HASH}00`])
      expect([wrong, (await ask(`${CHAIN}/nfts/images/${wrong}`)).statusCode]).toEqual([wrong, 400])
    expect((await ask(`/v1/chains/5/nfts/images/${HASH}`)).statusCode).toBe(404)
  })
})
