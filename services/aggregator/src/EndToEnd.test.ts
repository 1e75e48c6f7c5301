import { Hex, Id } from '@firn/codec'
import { createDevnet, type Devnet, PlatformMessages } from '@firn/devnet'
import { systemClock } from '@firn/runtime'
import { SignedMessage, WarpEvent } from '@firn/warp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, createSwitch, type Response, startService, verify } from './testing/devnet.ts'

let devnet: Devnet
let bench: Bench
let messages = 0

beforeAll(async () => {
  devnet = await createDevnet({
    validators: 5,
    l1s: [
      { inactive: [1] },
      { nodes: 'own', validators: 3 },
      { weights: [10n, 10n, 10n, 40n, 30n], inactive: [3] },
    ],
  })
  bench = await startService(devnet, { requestTimeout: 600_000 })
})
afterEach(() => devnet.clearFaults())
afterAll(async () => {
  await bench.service.close()
  await devnet.close()
})

/** Returns a new message of a chain that the given nodes have accepted. */
function accept(
  chain: Parameters<Devnet['acceptMessage']>[0]['chain'] = 'C',
  nodes?: readonly number[],
): Uint8Array {
  messages++
  const payload = new TextEncoder().encode(`message ${messages}`)
  return devnet.acceptMessage({ chain, payload, ...(nodes === undefined ? {} : { nodes }) })
}

function l1(index: number) {
  const found = devnet.l1s[index]
  if (found === undefined) throw new Error(`no L1 ${index}`)
  return found
}

const outcomes = (body: { report: { validators: { outcome: string }[] } }) =>
  body.report.validators.map(({ outcome }) => outcome).sort()

describe('a message of the C-chain', () => {
  it('signs a C-chain message and returns a proof that suffices to verify it', async () => {
    const message = accept()
    const response = await bench.ask({ message: Hex.encode(message) }, '?report=true&proof=true')
    expect([response.status, verify(response)]).toMatchObject([200, { ok: true }])
    expect(verify(response, 81)).toMatchObject({ ok: false })
    const { unsigned } = SignedMessage.decode(Hex.decodeBare(response.body.signedMessage))
    expect(Hex.encodeBare(unsigned.payload)).toBe(Hex.encodeBare(message.subarray(42)))
    expect(response.body.report.validators).toHaveLength(5)
  })

  it('signs a message that is given as event data, and a message that is sent to the Go service’s route', async () => {
    const event = Hex.encode(WarpEvent.encodeData(accept()))
    expect((await bench.ask({ message: event })).status).toBe(200)
    const { status, body } = await bench.post('/aggregate-signatures', {
      message: Hex.encode(accept()),
      'quorum-percentage': 80,
    })
    expect([status, body]).toEqual([200, { 'signed-message': expect.stringMatching(/^[0-9a-f]+$/) }])
  })

  it('reuses collected signatures if a later request needs a higher quorum', async () => {
    const message = Hex.encode(accept())
    await bench.ask({ message, quorumPercentage: 20 })
    const { body } = await bench.ask({ message, quorumPercentage: 100 }, '?report=true')
    expect(outcomes(body)).toEqual(Array(5).fill('signed'))
    expect(body.report.validators.some(({ fromCache }: { fromCache?: true }) => fromCache)).toBe(true)
  })

  it('signs a message that some validators have not accepted yet', async () => {
    const message = accept('C', [0, 1, 2, 3])
    const { status, body } = await bench.ask({ message: Hex.encode(message) }, '?report=true')
    expect(status).toBe(200)
    expect(outcomes(body).filter((outcome) => outcome === 'signed').length).toBeGreaterThanOrEqual(4)
  })

  it('uses the validators at a past height, and rejects a future height', async () => {
    const message = Hex.encode(accept())
    const tip = Number(devnet.state.height)
    const { body } = await bench.ask({ message, pChainHeight: 1 }, '?report=true')
    expect(body.report.pChainHeight).toBe('1')
    expect(await bench.ask({ message, pChainHeight: tip + 1 })).toMatchObject({
      status: 400,
      body: { message: `pChainHeight: ${tip + 1} is in the future; the P-chain is at ${tip}` },
    })
  })
})

describe('a message of an L1', () => {
  it('collects signatures of an L1’s validators, connects to them on the first request, and counts inactive weight', async () => {
    const message = Hex.encode(accept(l1(0).chain))
    const response = await bench.ask({ message }, '?report=true&proof=true')
    expect([response.status, verify(response)]).toMatchObject([200, { ok: true }])
    expect(response.body.report).toMatchObject({
      signingSubnetId: Id.format(l1(0).subnetId),
      totalWeight: '500',
    })
    expect(response.body.report.validators).toHaveLength(4)
    const { subnets } = (await bench.health()).body
    expect(subnets.map(({ subnetId }: { subnetId: string }) => subnetId)).toContain(Id.format(l1(0).subnetId))
  })

  it('collects signatures from nodes that validate only the L1', async () => {
    const response = await bench.ask({ message: Hex.encode(accept(l1(1).chain)) }, '?report=true&proof=true')
    expect([response.status, verify(response)]).toMatchObject([200, { ok: true }])
    expect(response.body.report.validators).toHaveLength(3)
  })

  it('reports a missed quorum if inactive weight makes the quorum impossible', async () => {
    const { status, body } = await bench.ask({ message: Hex.encode(accept(l1(2).chain)) })
    expect([status, body.message]).toEqual([
      502,
      expect.stringMatching(/^quorum not reached: weight \d+ of 100 signed .* 67 needed \(67 %\)/),
    ])
  })
})

describe('a message of the P-chain', () => {
  it('signs a P-chain message with a justification, and derives the message from the justification alone', async () => {
    const { message, justification } = PlatformMessages.conversion(devnet.networkId, l1(0))
    const given = await bench.ask(
      { message: Hex.encode(message), justification: Hex.encode(justification) },
      '?proof=true',
    )
    expect([given.status, verify(given)]).toMatchObject([200, { ok: true }])
    const made = await bench.ask({ justification: Hex.encode(justification) }, '?proof=true')
    expect([made.status, verify(made)]).toMatchObject([200, { ok: true }])
    const bytes = (hex: string) => Hex.encode(SignedMessage.decode(Hex.decodeBare(hex)).unsigned.payload)
    expect(bytes(made.body.signedMessage)).toBe(bytes(given.body.signedMessage))
  })

  it("reports the validators' error code for a P-chain message without a justification", async () => {
    const { message } = PlatformMessages.conversion(devnet.networkId, l1(1))
    const { status, body } = await bench.ask({ message: Hex.encode(message) })
    expect([status, body.message]).toEqual([502, expect.stringMatching(/weight 0 of .* refused \(code 5/)])
  })
})

describe('/v1/quorum', () => {
  const quorum = async (subnetId: Uint8Array, query = '') => {
    const path = `/v1/quorum/local/${Id.format(subnetId)}${query}`
    return (await (await fetch(`${bench.service.url}${path}`)).json()) as Record<string, unknown>
  }

  it('tells which validators answer, and which risks the quorum has', async () => {
    expect(await quorum(l1(0).subnetId)).toMatchObject({
      status: 'at-risk',
      risk: expect.stringMatching(
        /^loses quorum if any of 4 validators, such as NodeID-\w+, stops signing \(20 %/,
      ),
      answeringWeight: '400',
      cannotSignWeight: '100',
      marginPercentage: 13,
    })
    expect(await quorum(l1(2).subnetId)).toMatchObject({
      status: 'no-quorum',
      risk: 'cannot reach quorum: 60 % of the weight can sign now, 67 % needed (40 % inactive or without a BLS key)',
    })
    const primary = await quorum(Id.EMPTY, '?quorumPercentage=60')
    expect(primary).toMatchObject({ status: 'ok', risk: 'none', unknown: [] })
    expect((primary['nextChanges'] as { kind: string }[]).map(({ kind }) => kind)).toEqual(
      Array(5).fill('stake-ends'),
    )
  })

  it('counts a validator that sent a wrong signature as failing', async () => {
    devnet.setFaults({ 0: 'wrong-signature' })
    await bench.ask({ message: Hex.encode(accept()), quorumPercentage: 80 })
    const { status, failingWeight, validators } = await quorum(Id.EMPTY)
    expect([status, failingWeight]).toEqual(['at-risk', '2000000000000000'])
    expect(validators).toContainEqual(
      expect.objectContaining({
        nodeIds: [devnet.validators[0]?.nodeIdText],
        state: 'failing',
        reason: expect.stringContaining('bad-signature'),
      }),
    )
  })
})

describe('failures', () => {
  it('signs a message although a minority of the validators misbehaves', async () => {
    devnet.setFaults({ 0: 'silent' })
    const response = await bench.ask({ message: Hex.encode(accept()) }, '?proof=true')
    expect([response.status, verify(response)]).toMatchObject([200, { ok: true }])
  })

  it('reports weights and failure reasons when too many validators misbehave, and lists each validator if a report is requested', async () => {
    devnet.setFaults({ 0: 'wrong-signature', 1: { kind: 'refuse', code: -1, message: 'no way' } })
    const { status, body } = await bench.ask({ message: Hex.encode(accept()) }, '?report=true')
    expect(status).toBe(502)
    expect(body.message).toMatch(
      /^quorum not reached: weight 6000000000000000 of 10000000000000000 signed \(60 %\), 6700000000000000 needed/,
    )
    expect(body.message).toContain('refused (code -1: "no way")')
    expect(body.message).toContain('sent an invalid signature')
    expect(outcomes(body)).toEqual(['bad-signature', 'refused', 'signed', 'signed', 'signed'])
  })

  it('asks each validator once if all refuse for good, and none again for an equal request', async () => {
    const refusing = devnet.validators.map((_one, index) => [
      index,
      { kind: 'refuse', code: -1, message: 'no' },
    ])
    devnet.setFaults(Object.fromEntries(refusing))
    const body = { message: Hex.encode(accept()) }
    const [first, second] = [await bench.ask(body, '?report=true'), await bench.ask(body, '?report=true')]
    expect([first.status, second.status]).toEqual([502, 502])
    const requests = ({ body: { report } }: Response) =>
      report.validators.map((one: { requests: number }) => one.requests)
    expect(Math.max(...requests(first))).toBe(1)
    expect(requests(second)).toEqual([0, 0, 0, 0, 0])
    expect(second.body.message).toMatch(/refused \(code -1: "no"; remembered, up to \d+ s old\)/)
    const refused = second.body.report.validators.filter(
      (one: { outcome: string }) => one.outcome === 'refused',
    )
    expect(refused.length).toBeGreaterThanOrEqual(2)
    for (const { rememberedMs } of refused) expect(rememberedMs).toBeGreaterThanOrEqual(0)
  })

  it('uses the last validator set while an upstream is down, returns 503 once the set is too old, and then recovers', async () => {
    const upstream = await createSwitch(devnet)
    let aheadMs = 0
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
    const other = await startService(devnet, { pChainApi: upstream.url, staleAfter: 3_600_000 }, { clock })
    const status = async () => (await other.ask({ message: Hex.encode(accept()) })).status
    expect(await status()).toBe(200)
    upstream.turn('off')
    expect(await status()).toBe(200)
    aheadMs = 3_601_000
    const late = await other.ask({ message: Hex.encode(accept()) })
    expect([late.status, late.body.message]).toEqual([
      503,
      expect.stringMatching(/^validators were last confirmed \d+ s ago/),
    ])
    expect((await other.health()).body).toMatchObject({ status: 'down', upstream: { status: 'down' } })
    upstream.turn('on')
    expect(await status()).toBe(200)
    await other.service.close()
    upstream.close()
  })

  it('finishes requests in progress before shutting down', async () => {
    const other = await startService(devnet)
    await other.ask({ message: Hex.encode(accept()) })
    devnet.setFaults(
      Object.fromEntries(devnet.validators.map((_one, index) => [index, { kind: 'slow', ms: 300 }])),
    )
    const requests = () => devnet.validators.reduce((sum, { counters }) => sum + counters.requests, 0)
    const before = requests()
    const answer = other.ask({ message: Hex.encode(accept()) })
    await expect.poll(requests).toBeGreaterThan(before)
    await other.service.close()
    expect((await answer).status).toBe(200)
  })
})

describe('/health', () => {
  it('reports status up while enough weight of the Primary Network is connected', async () => {
    expect(await bench.health()).toMatchObject({ status: 200, body: { status: 'up', problems: [] } })
  })
})
