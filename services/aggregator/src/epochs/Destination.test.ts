import type { AggregationRequest, AggregationResult } from '@firn/aggregation'
import { Signature } from '@firn/bls'
import { Hex, Id } from '@firn/codec'
import { until } from '@firn/runtime/testing'
import { SignedMessage, UnsignedMessage, ValidatorSet } from '@firn/warp'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, GO_PATH, message, missed, RESULT, setUp } from '../testing/app.ts'
import {
  C_CHAIN,
  createMessage,
  createValidators,
  type FakeValidator,
  L1_CHAIN,
  NETWORK_ID,
  sign,
} from '../testing/fakes.ts'

afterEach(closeAll)

const PATH = '/v1/validity/local'
const destinationChain = Id.format(C_CHAIN)
const START = 1_000n
const FIRST = createValidators([40n, 30n, 20n, 10n])
/** The validator with 40 % of the weight has left, so all others have lower indices or other signers are needed. */
const SECOND = [...FIRST.slice(1), ...createValidators([50n], 3)]

/** Signs with all validators of the requested set, and returns the result of an aggregation. */
function aggregateBy(validators: readonly FakeValidator[]) {
  return async ({ message: bytes, validatorSet }: AggregationRequest): Promise<AggregationResult> => {
    const key = (one: Uint8Array) => Hex.encodeBare(one)
    const signatures = validatorSet.validators.map(({ publicKey }) => {
      const found = validators.find((one) => key(one.publicKey) === key(publicKey.compressed))
      return sign(found as FakeValidator, bytes)
    })
    const signers = signatures.map((_one, index) => index)
    const signed = SignedMessage.create(
      UnsignedMessage.decode(bytes),
      signers,
      Signature.aggregate(signatures).compressed,
    )
    const { totalWeight } = validatorSet
    const weights = { signedWeight: totalWeight, totalWeight, neededWeight: totalWeight }
    return { ...RESULT, ...weights, signedMessage: SignedMessage.encode(signed), signers }
  }
}

/** A service on a chain whose validators change from `FIRST` to `SECOND` at height 110. The tip is 120. */
async function setUpChange(height = 100n, aggregate = aggregateBy([...FIRST, ...SECOND]), capacity = 10_000) {
  const epoch = { number: 5n, startTime: START, pChainHeight: height }
  const epochs = new Map([[destinationChain, async () => (height === 0n ? undefined : epoch)]])
  const service = await setUp({ epochs, aggregate, capacity })
  const { pChain } = service
  const fixed = pChain.validatorsAt
  pChain.validatorsAt = async (subnetId, at) => {
    await fixed(subnetId, at)
    return at < 110n ? FIRST : SECOND
  }
  return service
}

describe('destinationChain', () => {
  it('returns a signed message for the epoch’s height and for each later validator set', async () => {
    const { post, asked } = await setUpChange()
    const { status, body } = await post({ message, destinationChain })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      destinationChain,
      epoch: { number: '5', startTime: 1_000, durationSeconds: 30, pChainHeight: '100' },
      notBefore: 1_000,
      earliestExpiry: 1_030,
      signedMessages: [
        {
          pChainHeight: '100',
          lastPChainHeight: '109',
          notBefore: 1_000,
          earliestExpiry: 1_030,
          totalWeight: '100',
        },
        {
          pChainHeight: '110',
          lastPChainHeight: '120',
          notBefore: 1_030,
          earliestExpiry: 1_060,
          totalWeight: '110',
        },
      ],
    })
    expect(body.signedMessage).toBe(body.signedMessages[0].signedMessage)
    expect(body.signedMessages[1].signedMessage).not.toBe(body.signedMessage)
    expect(asked).toHaveLength(2)
    const codes = body.warnings.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(['weight-leaving', 'quorum-at-risk'])
  })

  it('warns when the epoch is over, because the next block but one uses another height', async () => {
    const { post, clock } = await setUpChange(110n)
    expect((await post({ message, destinationChain })).body.warnings).toEqual([])
    await clock.advance(1_030_000)
    expect((await post({ message, destinationChain })).body.warnings).toMatchObject([{ code: 'epoch-over' }])
  })

  it('collects no further signatures for a set in which the same signers have enough weight', async () => {
    const { post, pChain, asked } = await setUpChange()
    pChain.validatorsAt = async (_subnetId, at) =>
      at < 110n ? FIRST : FIRST.map((one) => ({ ...one, weight: 9n }))
    const { body } = await post({ message, destinationChain })
    expect(asked).toHaveLength(1)
    expect(body.signedMessages).toMatchObject([{ pChainHeight: '100', lastPChainHeight: '120' }])
    expect(body.warnings).toMatchObject([{ code: 'weight-leaving' }])
  })

  it('returns the message for the current epoch and a warning if a later set misses its quorum', async () => {
    const aggregate = aggregateBy(FIRST)
    const { post } = await setUpChange(100n, async (request) => {
      if (request.validatorSet.totalWeight === 110n) throw missed
      return aggregate(request)
    })
    const { status, body } = await post({ message, destinationChain })
    expect([status, body.signedMessages.length]).toEqual([200, 1])
    expect(body.warnings.at(-1)).toMatchObject({
      code: 'candidate-not-signed',
      message: expect.stringContaining('heights 110 to 120'),
    })
  })

  it('signs for later validator sets without another turn in the queue', async () => {
    const other = createMessage(C_CHAIN, NETWORK_ID, 'other')
    const aggregate = aggregateBy([...FIRST, ...SECOND])
    let otherResponse: Promise<unknown> | undefined
    let finishOther = () => {}
    const { post, server } = await setUpChange(
      100n,
      async (request) => {
        if (Hex.encode(request.message) === Hex.encode(other))
          return new Promise<AggregationResult>((resolve) => {
            finishOther = () => resolve(RESULT)
          })
        otherResponse ??= post({ message: Hex.encode(other) })
        await until(async () =>
          expect((await server.inject('/metrics')).body).toMatch(/queue_(length 1|seconds_count 2)\n/),
        )
        return aggregate(request)
      },
      1,
    )
    const { status, body } = await post({ message, destinationChain })
    expect([status, body.signedMessages.length]).toEqual([200, 2])
    finishOther()
    await otherResponse
  })

  it('signs for the next epoch if the current one has ended while signatures were collected', async () => {
    const heights = [100n, 110n, 110n, 110n]
    const next = heights.map((pChainHeight) => ({
      number: pChainHeight / 10n,
      startTime: START,
      pChainHeight,
    }))
    const epochs = new Map([[destinationChain, async () => next.shift()]])
    const { post, asked } = await setUp({ epochs, aggregate: aggregateBy(FIRST) })
    const { body } = await post({ message, destinationChain })
    expect([body.epoch, next.length, asked.length]).toMatchObject([{ pChainHeight: '110' }, 0, 2])
    expect(body.signedMessages).toMatchObject([{ pChainHeight: '110', signedMessage: body.signedMessage }])
  })

  it('warns if the stake of a signer ends before the end of the next epoch', async () => {
    const { post, pChain } = await setUpChange(110n)
    const [leaving, staying] = SECOND.map(({ nodeId, weight }, index) => {
      return { nodeId, weight, balance: undefined, endTime: START + (index === 0 ? 60n : 61n) }
    })
    pChain.current.set(
      Id.format(Id.EMPTY),
      [leaving, staying].flatMap((one) => one ?? []),
    )
    const { body } = await post({ message, destinationChain })
    expect(body.warnings).toEqual([
      {
        code: 'weight-leaving',
        message: expect.stringMatching(/^validators with 27.27 % .* 1970-01-01T00:17:40Z$/),
      },
    ])
  })

  it('uses the proposed height and says so if the chain has no epoch', async () => {
    const { post } = await setUpChange(0n)
    const { body } = await post({ message, destinationChain })
    expect(body).toMatchObject({ epoch: null, warnings: [{ code: 'no-epoch' }, {}, {}] })
    expect(body.signedMessages[0]).toMatchObject({ pChainHeight: '100', lastPChainHeight: '109' })
    expect(body).not.toHaveProperty('notBefore')
  })

  it('accepts epochs that are older than the lookback', async () => {
    const { post } = await setUpChange(1n)
    expect((await post({ message, pChainHeight: 1 })).status).toBe(400)
    expect((await post({ message, destinationChain })).body.epoch).toMatchObject({ pChainHeight: '1' })
  })

  it('uses the validators of an L1 for messages to it from the Primary Network', async () => {
    const epochs = new Map([[Id.format(L1_CHAIN), async () => undefined]])
    const { post } = await setUp({ epochs })
    const response = await post({ message, destinationChain: Id.format(L1_CHAIN) })
    expect([response.status, response.body.message]).toEqual([
      400,
      expect.stringContaining('has no validators'),
    ])
    const primary = { message, destinationChain: Id.format(L1_CHAIN), signingSubnetId: Id.format(Id.EMPTY) }
    expect((await post(primary)).status).toBe(200)
    const other = await setUp({ epochs })
    other.pChain.chains.delete(Id.format(L1_CHAIN))
    expect((await other.post({ message, destinationChain: Id.format(L1_CHAIN) })).body.message).toContain(
      'destinationChain: the chain',
    )
  })

  it.each([
    [{ destinationChain, pChainHeight: 100 }, /^pChainHeight: expected no height, because destinationChain/],
    [
      { destinationChain: 'x' },
      /^destinationChain: expected a blockchain id in 64 hex digits or cb58, got "x"$/,
    ],
    [
      { destinationChain: Id.format(L1_CHAIN) },
      /^destinationChain: this service has no node API .* --chain-rpc/,
    ],
  ])('rejects %j', async (fields, text) => {
    const { post } = await setUpChange()
    const { status, body } = await post({ message, ...fields })
    expect([status, body.message]).toEqual([400, expect.stringMatching(text)])
  })

  it('does not exist on the Go service’s route', async () => {
    const { post } = await setUpChange()
    const { status, body } = await post({ message, destinationChain: 'x' }, { url: GO_PATH })
    expect([status, Object.keys(body)]).toEqual([200, ['signed-message']])
  })
})

describe('/v1/validity', () => {
  const bytes = createMessage()
  const signedBy = async (validators: readonly FakeValidator[]) => {
    const validatorSet = ValidatorSet.create(validators)
    const request = { message: bytes, validatorSet } as AggregationRequest
    return Hex.encodeBare((await aggregateBy(validators)(request)).signedMessage)
  }

  it('tells at which heights a signed message verifies', async () => {
    const { server } = await setUpChange()
    const signedMessage = await signedBy(FIRST)
    const query = `?signedMessage=${signedMessage}&destinationChain=${destinationChain}&quorumPercentage=67`
    const got = await server.inject(`${PATH}${query}`)
    const payload = { signedMessage, destinationChain, quorumPercentage: 67 }
    const posted = await server.inject({ method: 'POST', url: PATH, payload })
    expect(posted.json()).toEqual(got.json())
    expect([got.statusCode, got.json()]).toMatchObject([
      200,
      {
        valid: true,
        destinationChain,
        epoch: { number: '5' },
        notBefore: 1_000,
        earliestExpiry: 1_030,
        heights: [
          {
            pChainHeight: '100',
            lastPChainHeight: '109',
            valid: true,
            signedWeight: '100',
            neededWeight: '67',
          },
          {
            pChainHeight: '110',
            lastPChainHeight: '120',
            valid: false,
            code: 'INVALID_SIGNATURE',
            notBefore: 1_030,
          },
        ],
        warnings: [{ code: 'weight-leaving' }, { code: 'quorum-at-risk' }, { code: 'invalid-later' }],
      },
    ])
    const old = await (await setUpChange(110n)).server.inject(`${PATH}${query}`)
    expect(old.json()).toMatchObject({ valid: false, heights: [{ pChainHeight: '110', valid: false }] })
  })

  it('uses the proposed height without a destination, and the default quorum', async () => {
    const { server } = await setUpChange()
    const [alone] = FIRST
    const signedMessage = await signedBy([alone as FakeValidator])
    const answer = (await server.inject(`${PATH}?signedMessage=${signedMessage}`)).json()
    expect(answer).toMatchObject({
      valid: false,
      heights: [{ pChainHeight: '100', code: 'INSUFFICIENT_WEIGHT', neededWeight: '67' }, {}],
      warnings: [{ code: 'no-destination' }],
    })
    expect(answer).not.toHaveProperty('epoch')
  })

  it.each([
    ['', 400, /^signedMessage: expected text, got nothing$/],
    ['?signedMessage=zz', 400, /^signedMessage: expected hex/],
    ['?signedMessage=00', 400, /^signedMessage: expected a signed Warp message, got 1 bytes/],
    ['?signedMessage=00&quorumPercentage=101', 400, /^quorumPercentage: expected an integer from 0 to 100/],
    ['?signedMessage=00&url=http://x', 400, /^url: expected one of the fields/],
  ])('rejects the query %j', async (query, status, text) => {
    const { server } = await setUpChange()
    const response = await server.inject(PATH + query)
    expect([response.statusCode, response.json().message]).toEqual([status, expect.stringMatching(text)])
  })

  it('answers 200 or 400 to every mutation of a signed message, and to a huge bit set', async () => {
    const { server } = await setUpChange()
    const signed = Hex.decodeBare(await signedBy(FIRST))
    const statusOf = async (message: Uint8Array) => {
      const payload = { signedMessage: Hex.encode(message), destinationChain }
      const response = await server.inject({ method: 'POST', url: PATH, payload })
      return [response.statusCode, response.statusCode === 200 && response.json().valid]
    }
    for (let place = 0; place < signed.length; place += 3) {
      const mutated = signed.map((byte, index) => (index === place ? byte ^ (1 + (place % 255)) : byte))
      const [status, isValid] = await statusOf(mutated)
      expect([200, 400], `byte ${place}`).toContain(status)
      expect(isValid, `byte ${place}`).toBe(false)
      expect([200, 400]).toContain((await statusOf(signed.subarray(0, place)))[0])
    }
    const { unsigned, signature } = SignedMessage.decode(signed)
    const signers = new Uint8Array(200_000).fill(255)
    const huge = SignedMessage.encode({ unsigned, signature: { ...signature, signers } })
    expect(await statusOf(huge)).toEqual([200, false])
  })

  it('rejects messages of other networks, and needs an API key if there are any', async () => {
    const { server } = await setUp({ configuration: { apiKeys: ['secret'] } })
    expect((await server.inject(`${PATH}?signedMessage=00`)).statusCode).toBe(401)
    expect((await server.inject({ method: 'POST', url: PATH, payload: {} })).statusCode).toBe(401)
    expect((await server.inject('/v1/validity/fuji?signedMessage=00')).statusCode).toBe(401)
    const { server: open } = await setUp()
    expect((await open.inject('/v1/validity/fuji?signedMessage=00')).statusCode).toBe(404)
  })
})
