import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { AggregationError } from '@firn/aggregation'
import { Hex } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { MAX_REQUEST_BYTES } from '@firn/p2p'
import { SignedMessage } from '@firn/warp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AggregatorError } from '../errors/AggregatorError.ts'
import { closeAll, failing, GO_PATH, message, missed, REPORT, setUp } from '../testing/app.ts'
import { type Bench, startService } from '../testing/devnet.ts'

afterAll(closeAll)

/** A recorded request to the Go service, and its response. */
interface Vector {
  readonly name: string
  /** Default: POST. */
  readonly method?: string
  /** Null for a request without this header. Default: `application/json`. */
  readonly contentType?: string | null
  readonly chunked?: true
  readonly query?: string
  readonly body: string
  /** Text that replaces `%` in the body, and how often it is repeated. Brackets are closed as well. */
  readonly repeat?: readonly [text: string, times: number]
  readonly status: number
  /** The text of the response's body, or `signed` for any signed message of the message in the request. */
  readonly answer: string
}

const VECTORS: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../vectors/go-route.json', import.meta.url), 'utf8'),
)

function bodyOf({ body, repeat }: Vector): string {
  if (repeat === undefined) return body
  const [text, times] = repeat
  return body.replace('%', text.repeat(times) + (text === '[' ? ']'.repeat(times) : ''))
}

/** Sends the request of a vector, also those that `fetch` cannot send. */
function send(url: string, vector: Vector): Promise<{ readonly status: number; readonly text: string }> {
  const { method = 'POST', contentType = 'application/json', chunked, query = '' } = vector
  const body = bodyOf(vector)
  const length = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': Buffer.byteLength(body) }
  const headers = {
    ...(contentType === null ? {} : { 'content-type': contentType }),
    ...(body === '' ? {} : length),
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${GO_PATH}${query}`, { method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject).end(body)
  })
}

describe('recorded requests', () => {
  let devnet: Devnet
  let bench: Bench
  /** A service whose time for signatures is short, because it asks again until then when a validator refuses. */
  let hasty: Bench
  let signable: readonly string[]
  beforeAll(async () => {
    devnet = await createDevnet({ validators: 5, l1s: [{ name: 'game' }] })
    bench = await startService(devnet, { collectTimeout: 60_000 })
    hasty = await startService(devnet, { collectTimeout: 1_000 })
    const accept = (chain: string, text: string) =>
      Hex.encodeBare(devnet.acceptMessage({ chain, payload: new TextEncoder().encode(text) }))
    signable = [accept('C', 'a message of the Go route'), accept('game', 'a message of an L1')]
  })
  afterAll(async () => {
    await bench.service.close()
    await hasty.service.close()
    await devnet.close()
  })

  it.each(VECTORS)('answers $name as the Go service does: $status', async (vector) => {
    // A busy machine may need more than a second for the signatures.
    const { service } = vector.answer === 'signed' ? bench : hasty
    const { status, text } = await send(service.url, vector)
    expect(status).toBe(vector.status)
    if (vector.answer === 'signed') {
      const { 'signed-message': signed } = JSON.parse(text)
      expect(text).toBe(`{"signed-message":"${signed}"}`)
      const { unsigned } = SignedMessage.decode(Hex.decodeBare(signed))
      expect([unsigned.networkID, signable.some((one) => signed.startsWith(one))]).toEqual([
        devnet.networkId,
        true,
      ])
    } else expect(text).toBe(vector.answer)
  })

  it('sends a message and a justification that just fit into a frame, and answers 413 to a longer one', async () => {
    const fresh = devnet.acceptMessage({ chain: 'C', payload: new Uint8Array(1) })
    // The protocol prefix, and the tags and lengths of both fields, have 7 bytes.
    const longest = MAX_REQUEST_BYTES - 7 - fresh.length
    const ask = (length: number) =>
      bench.post(GO_PATH, { message: Hex.encode(fresh), justification: '00'.repeat(length) })
    expect(await ask(longest + 1)).toEqual({
      status: 413,
      body: { error: expect.stringMatching(/together are 1 more than fit/) },
    })
    expect((await ask(longest)).status).toBe(200)
  })
})

describe('route of the Go service', () => {
  it('accepts both spellings of the height', async () => {
    const { post, asked, pChain } = await setUp()
    for (const body of [{ 'pchain-height': 90 }, { 'p-chain-height': 90 }]) {
      const response = await post({ message, 'quorum-percentage': 60, ...body }, { url: GO_PATH })
      expect([response.status, response.body]).toEqual([200, { 'signed-message': 'abcd' }])
    }
    expect(asked.map(({ quorumPercentage }) => quorumPercentage)).toEqual([60, 60])
    expect(pChain.calls.filter((call) => call.startsWith('validatorsAt'))).toEqual(['validatorsAt 90'])
  })

  it('names fields in the header firn-reason as the caller has spelled them', async () => {
    const { post } = await setUp()
    for (const key of ['pchain-height', 'p-chain-height', 'PChain-Height']) {
      const { headers } = await post({ message, [key]: 9_000 }, { url: GO_PATH })
      expect(headers['firn-reason']).toBe(`${key}: 9000 is in the future; the P-chain is at 120`)
    }
    const id = '2Jc6VooH5wxteNEnVgqR8hNw3Pb58bphqk1myKZpXwrCfpVNZ2'
    const { headers } = await post({ message, 'Signing-Subnet-ID': id }, { url: GO_PATH })
    expect(headers['firn-reason']).toBe(`Signing-Subnet-ID: subnet ${id} is unknown on this network`)
  })

  it("uses the Go service's text for heights in the future and beyond the lookback", async () => {
    const { post } = await setUp()
    const failed = 'failed to aggregate signatures. error: Failed to fetch connected canonical validators: '
    const error = async (height: number) =>
      (await post({ message, 'pchain-height': height }, { url: GO_PATH })).body.error
    expect(await error(121)).toBe(
      `${failed}failed to get all validators at P-Chain height 121: failed to get all validators at height 121: failed to decode client response: failed to get validator sets at 121: failed to fetch validator set at unfinalized height: current P-chain height (120) < requested P-Chain height (121)`,
    )
    expect(await error(69)).toBe(
      `${failed}failed to get all validators at P-Chain height 69: requested P-Chain height 69 is beyond the max lookback of 50 from latest height 120`,
    )
  })

  it('tells missing signatures from missing connections, and explains both in firn-reason', async () => {
    const unconnected = REPORT.validators.map((one) =>
      one.outcome === 'refused' ? { ...one, outcome: 'not-connected' as const } : one,
    )
    const error = (validators: typeof REPORT.validators) =>
      new AggregationError('AGGREGATION_QUORUM_NOT_REACHED', 'no quorum', {
        details: { report: { ...REPORT, validators } },
      })
    for (const [thrown, text] of [
      [missed, 'failed to collect a threshold of signatures'],
      [error(unconnected), 'failed to connect to a threshold of stake'],
    ] as const) {
      const { post } = await setUp({ aggregate: failing(thrown) })
      expect(await post({ message }, { url: GO_PATH })).toMatchObject({
        status: 500,
        body: { error: `failed to aggregate signatures. error: ${text}` },
        headers: { 'firn-reason': expect.stringMatching(/^quorum not reached: weight 60/) },
      })
    }
  })

  it('sends a reason that any HTTP client can read', async () => {
    const text = `the operator’s text \r\n é ${'x'.repeat(2_000)}`
    const { post } = await setUp({ aggregate: failing(new AggregatorError('AGGREGATOR_BUSY', text)) })
    const { body, headers } = await post({ message }, { url: GO_PATH })
    expect(body).toEqual({ error: text })
    expect(headers['firn-reason']).toBe(`the operator's text ?? ? ${'x'.repeat(2_000)}`.slice(0, 1_000))
  })
})
