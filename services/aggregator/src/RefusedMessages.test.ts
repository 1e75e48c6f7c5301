import { Hex, Id } from '@firn/codec'
import { createDevnet, type Devnet, PlatformMessages } from '@firn/devnet'
import { until } from '@firn/runtime/testing'
import { Payload, UnsignedMessage } from '@firn/warp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, createSwitch, type Response, startService } from './testing/devnet.ts'

const VALIDATORS = 5
const GO_PATH = '/aggregate-signatures'

let devnet: Devnet
let bench: Bench
let sent = 0

beforeAll(async () => {
  devnet = await createDevnet({ validators: VALIDATORS, l1s: [{}, {}, {}] })
  bench = await startService(devnet)
  // All validators are connected, so each request to one of them is counted.
  await bench.ask({ message: Hex.encode(neverSent()), quorumPercentage: 100, waitMs: 0 })
})
afterAll(async () => {
  await bench.service.close()
  await devnet.close()
})

/** Returns a message of the C-chain that no validator has accepted. */
function neverSent(): Uint8Array {
  sent++
  const payload = Payload.encode({
    type: 'AddressedCall',
    sourceAddress: new Uint8Array(20),
    payload: new TextEncoder().encode(`never sent ${sent}`),
  })
  return UnsignedMessage.encode({ networkID: devnet.networkId, sourceChainID: devnet.chains.c.id, payload })
}

/** Returns a validation of an L1, and the justification of its end. */
function validation(l1: number, index: number) {
  const { subnetId } = devnet.l1s[l1] as Devnet['l1s'][number]
  const found = [...devnet.state.l1Validators.values()].filter(
    (one) => Id.format(one.subnetId) === Id.format(subnetId),
  )
  const { validationId } = found.at(index) as (typeof found)[number]
  const end = PlatformMessages.notRegistered(devnet.networkId, {
    type: 'ConvertSubnetToL1TxData',
    subnetId,
    index,
  })
  return { validationId, end }
}

const body = ({ message, justification }: PlatformMessages.PlatformMessage) => ({
  message: Hex.encode(message),
  justification: Hex.encode(justification),
})

/** Returns the numbers of requests to each validator, and the error codes of all refusals. */
function refusals({ body: { report } }: Response) {
  const { validators } = report as { validators: { requests: number; code?: number; reportedBy?: string }[] }
  return {
    requests: validators.map(({ requests }) => requests).sort(),
    codes: [...new Set(validators.flatMap(({ code }) => code ?? []))],
    reporters: [...new Set(validators.map(({ reportedBy }) => reportedBy))],
  }
}

describe('messages of the P-chain', () => {
  it('refuses a passed nonce and a wrong weight without a request to a validator', async () => {
    const { validationId } = validation(0, 0)
    devnet.advance([{ kind: 'set-weight', validationId, nonce: 3n, weight: 70n }])
    const weight = (nonce: bigint, value: bigint) =>
      body(PlatformMessages.weight(devnet.networkId, validationId, nonce, value))
    for (const [nonce, value, code] of [
      [2n, 70n, 16],
      [3n, 71n, 17],
    ] as const) {
      const refused = await bench.ask(weight(nonce, value), '?report=true')
      expect([refused.status, refused.body.message]).toEqual([
        502,
        expect.stringContaining(`(code ${code}: `),
      ])
      expect(refusals(refused)).toEqual({
        requests: Array(VALIDATORS).fill(0),
        codes: [code],
        reporters: ['the P-chain'],
      })
      const go = await bench.post(GO_PATH, weight(nonce, value))
      expect([go.status, go.body.error]).toEqual([
        500,
        expect.stringContaining('collect a threshold of signatures'),
      ])
    }
    expect((await bench.ask(weight(3n, 70n))).status).toBe(200)
  })

  it.each(['', GO_PATH])(
    'asks each validator once about what a later block could change (%s)',
    async (path) => {
      const { validationId, end } = validation(1, 0)
      const unknown = Id.hash(new TextEncoder().encode(path))
      for (const [code, message] of [
        [12, end],
        [11, PlatformMessages.registered(devnet.networkId, unknown)],
        [11, PlatformMessages.weight(devnet.networkId, unknown, 1n, 1n)],
        [16, PlatformMessages.weight(devnet.networkId, validationId, 7n, 1n)],
      ] as const) {
        if (path === GO_PATH) {
          expect((await bench.post(path, body(message))).status).toBe(500)
          continue
        }
        const refused = await bench.ask(body(message), '?report=true')
        expect(refused.status).toBe(502)
        const { requests, codes } = refusals(refused)
        expect([codes, requests.at(-1)]).toEqual([[code], 1])
      }
    },
  )

  it('signs the end of a validation that happens while the caller waits', async () => {
    const { validationId, end } = validation(1, 1)
    const early = bench.ask({ ...body(end), waitMs: 30_000 }, '?report=true')
    await askedAgain()
    devnet.advance([{ kind: 'set-weight', validationId, nonce: 0n, weight: 0n }])
    expect((await early).status).toBe(200)
  })

  it('refuses nothing that validators sign, although the P-chain API lags behind', async () => {
    const [changed, removed] = [validation(2, 0), validation(2, 1)]
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'platform.getL1Validator',
      params: { validationID: Id.format(changed.validationId) },
    })
    const headers = { 'content-type': 'application/json' }
    const before = await fetch(`${devnet.rpcUrl}/ext/bc/P`, { method: 'POST', headers, body: call })
    const { result } = (await before.json()) as { result: unknown }
    const upstream = await createSwitch(devnet, new Map([['platform.getL1Validator', result]]))
    const lagging = await startService(devnet, { pChainApi: upstream.url })
    devnet.advance([
      { kind: 'set-weight', validationId: changed.validationId, nonce: 9n, weight: 5n },
      { kind: 'set-weight', validationId: removed.validationId, nonce: 0n, weight: 0n },
    ])
    const weight = PlatformMessages.weight(devnet.networkId, changed.validationId, 9n, 5n)
    for (const message of [weight, removed.end])
      expect((await lagging.ask(body(message))).body).toMatchObject({ signedMessage: expect.any(String) })
    await lagging.service.close()
    upstream.close()
  })
})

describe('messages of an EVM chain', () => {
  it('asks for a message that nobody knows in a few rounds, and once with waitMs 0 or like the Go service', async () => {
    const [later, once] = [await bench.ask({ message: Hex.encode(neverSent()) }, '?report=true'), neverSent()]
    const most = refusals(later).requests.at(-1) ?? 0
    expect([later.status, most >= 2, most <= 5]).toEqual([502, true, true])
    const given = await bench.ask({ message: Hex.encode(once), waitMs: 0 }, '?report=true')
    expect([given.status, refusals(given).requests.at(-1)]).toEqual([502, 1])
    const before = await countRequests()
    const like = await bench.post(GO_PATH, { message: Hex.encode(neverSent()) })
    expect([like.status, like.body.error]).toEqual([
      500,
      expect.stringContaining('collect a threshold of signatures'),
    ])
    expect((await countRequests()) - before).toBeLessThanOrEqual(VALIDATORS)
  })

  it('signs a message that validators accept after they were asked', async () => {
    const message = neverSent()
    const early = bench.ask({ message: Hex.encode(message), waitMs: 30_000 })
    await askedAgain()
    devnet.acceptUnsigned('C', message)
    expect((await early).status).toBe(200)
  })

  it('answers 64 requests like the Go service at once, with one request to each validator', async () => {
    const before = await countRequests()
    const all = Array.from({ length: 64 }, () => bench.post(GO_PATH, { message: Hex.encode(neverSent()) }))
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([500]))
    expect((await countRequests()) - before).toBeLessThanOrEqual(64 * VALIDATORS)
  })

  it('signs valid messages while many others only wait, although few can be collected at once', async () => {
    const limited = await startService(devnet, {
      maxP2pRequests: 280,
      collectTimeout: 90_000,
      requestTimeout: 99_000,
    })
    const [abort, accepted] = [
      new AbortController(),
      () => devnet.acceptMessage({ chain: 'C', payload: Uint8Array.of(sent++) }),
    ]
    let ended = 0
    const ask = (message: Uint8Array, waitMs: number) =>
      fetch(`${limited.service.url}/v1/signatureAggregator/local/aggregateSignatures`, {
        method: 'POST',
        body: JSON.stringify({ message: Hex.encode(message), waitMs }),
        signal: abort.signal,
      })
    const refused = Array.from({ length: 64 }, () => ask(neverSent(), 80_000).finally(() => ended++))
    const valid = await Promise.all(Array.from({ length: 8 }, () => ask(accepted(), 0)))
    expect([valid.map(({ status }) => status), ended]).toEqual([Array(8).fill(200), 0])
    abort.abort()
    await Promise.allSettled(refused)
    await limited.service.close()
  })
})

/** Returns the number of requests to validators so far. */
async function countRequests(): Promise<number> {
  const text = await (await fetch(`${bench.service.url}/metrics`)).text()
  return Number(/^signature_aggregator_app_request_count (\d+)/m.exec(text)?.[1])
}

/** Waits until validators have been asked at least twice for a new message. */
async function askedAgain(): Promise<void> {
  const before = await countRequests()
  await until(async () => expect(await countRequests()).toBeGreaterThan(before + VALIDATORS))
}
