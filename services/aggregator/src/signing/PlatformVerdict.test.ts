import { Id } from '@firn/codec'
import { silentLogger } from '@firn/runtime'
import { createFakeClock } from '@firn/runtime/testing'
import { L1Message, Payload, UnsignedMessage } from '@firn/warp'
import { describe, expect, it } from 'vitest'
import { createSubnets } from '../p-chain/Subnets.ts'
import {
  C_CHAIN,
  CONVERSION,
  createFakePChain,
  createMessage,
  L1_SUBNET,
  NETWORK_ID,
} from '../testing/fakes.ts'
import { createPlatformVerdict } from './PlatformVerdict.ts'

const VALIDATION = Id.hash(Uint8Array.of(1))
const question = { isForRefusal: false, signal: new AbortController().signal }

function setUp() {
  const pChain = createFakePChain()
  const clock = createFakeClock()
  const subnets = createSubnets({ pChain, clock, log: silentLogger, patienceMs: 1_000 })
  const platform = createPlatformVerdict({ pChain, subnets, clock })
  pChain.validations.set(Id.format(VALIDATION), { weight: 20n, minNonce: 5n })
  const judge = (content: L1Message.L1Message, justification?: Uint8Array) =>
    clock.run(platform.judge({ ...question, message: messageOf(content), justification }))
  return { pChain, clock, platform, judge }
}

function messageOf(content: L1Message.L1Message, sourceAddress = new Uint8Array()) {
  const payload = Payload.encode({ type: 'AddressedCall', sourceAddress, payload: L1Message.encode(content) })
  return { networkID: NETWORK_ID, sourceChainID: Id.EMPTY, payload }
}

const weightOf = (nonce: bigint, weight: bigint, validationId = VALIDATION) =>
  ({ type: 'L1ValidatorWeight', validationID: validationId, nonce, weight }) as const
const registration = (registered: boolean, validationId = VALIDATION) =>
  ({ type: 'L1ValidatorRegistration', validationID: validationId, registered }) as const
const conversion = (id: Uint8Array) => ({ type: 'SubnetToL1Conversion', id }) as const
const OTHER = Id.hash(Uint8Array.of(2))

describe('judge', () => {
  it('refuses a nonce that has passed, and another weight with the latest nonce', async () => {
    const { judge } = setUp()
    expect(await judge(weightOf(3n, 20n))).toEqual({
      code: 16,
      text: 'the nonce 3 has passed: the latest one is 4',
      reportedBy: 'the P-chain',
    })
    expect(await judge(weightOf(4n, 21n))).toMatchObject({
      code: 17,
      text: expect.stringContaining('is 20, not 21'),
    })
    expect(await judge(weightOf(4n, 20n))).toBe('signable')
  })

  it('refuses another conversion of a converted subnet', async () => {
    const { judge } = setUp()
    expect(await judge(conversion(OTHER), L1_SUBNET)).toMatchObject({ code: 7 })
    expect(await judge(conversion(CONVERSION), L1_SUBNET)).toBe('signable')
  })

  it.each([
    ['a later nonce', weightOf(5n, 20n)],
    ['the weight of an unknown validation', weightOf(4n, 20n, OTHER)],
    ['the registration of an unknown validation', registration(true, OTHER)],
    ['the end of a stored validation', registration(false)],
    ['the conversion of an unknown subnet', conversion(OTHER), OTHER],
    ['a conversion without the subnet', conversion(OTHER)],
  ] as const)(
    'leaves %s to the validators, because the P-chain known here may lag behind',
    async (...[, content, justification]) => {
      expect(await setUp().judge(content, justification)).toBe('unknown')
    },
  )

  it('tells that validators will sign the registration of a stored validation, and the end of one that is not stored', async () => {
    const { judge } = setUp()
    expect(await judge(registration(true))).toBe('signable')
    expect(await judge(registration(false, OTHER))).toBe('signable')
  })

  it('refuses nothing that a later block could make valid', async () => {
    // A lagging P-chain is an earlier state. What it refuses must stay refused in all states that can follow.
    for (let nonce = 0n; nonce < 4n; nonce++) {
      for (const weight of [1n, 2n]) {
        const { pChain, clock, judge } = setUp()
        let isRefused = false
        for (let minNonce = 0n; minNonce < 6n; minNonce++) {
          for (const stored of [1n, 2n]) {
            pChain.validations.set(Id.format(VALIDATION), { weight: stored, minNonce })
            await clock.advance(1_000)
            const verdict = await judge(weightOf(nonce, weight))
            // The weight changes only together with the nonce, so each state of this nonce is another history.
            if (minNonce !== nonce + 1n && isRefused) expect(verdict).toMatchObject({ code: 16 })
            if (minNonce <= nonce) expect(verdict).toBe('unknown')
            isRefused ||= typeof verdict === 'object'
          }
        }
        expect(isRefused).toBe(true)
      }
    }
  })

  it('does not ask the P-chain about messages of other chains, with a sender, or that it cannot read', async () => {
    const { pChain, platform } = setUp()
    const unreadable = Payload.encode({
      type: 'AddressedCall',
      sourceAddress: new Uint8Array(),
      payload: OTHER,
    })
    for (const message of [
      UnsignedMessage.decode(createMessage(C_CHAIN)),
      messageOf(weightOf(3n, 20n), new Uint8Array(20)),
      { ...messageOf(weightOf(3n, 20n)), payload: unreadable },
      { ...messageOf(weightOf(3n, 20n)), payload: Payload.encode({ type: 'Hash', hash: OTHER }) },
    ])
      expect(await platform.judge({ ...question, message, justification: undefined })).toBe('unknown')
    expect(pChain.calls).toEqual([])
  })

  it('looks nothing up for a registration if only a refusal is of interest', async () => {
    const { pChain, clock, platform } = setUp()
    const judge = (content: L1Message.L1Message) =>
      clock.run(
        platform.judge({
          ...question,
          isForRefusal: true,
          message: messageOf(content),
          justification: undefined,
        }),
      )
    expect(await judge(registration(true))).toBe('unknown')
    expect(pChain.calls).toEqual([])
    expect(await judge(weightOf(3n, 20n))).toMatchObject({ code: 16 })
  })

  it('leaves the message to the validators if the P-chain API fails or is slow, and asks once for equal messages', async () => {
    const { pChain, clock, judge } = setUp()
    pChain.isDown = true
    expect(await judge(weightOf(3n, 20n))).toBe('unknown')
    pChain.isDown = false
    pChain.gate = new Promise(() => undefined)
    expect(await judge(weightOf(3n, 20n))).toBe('unknown')
    expect(clock.now()).toBe(250)
    expect(await judge(weightOf(3n, 20n))).toBe('unknown')
    expect(pChain.calls).toEqual(['l1Validator', 'l1Validator'])
  })
})
