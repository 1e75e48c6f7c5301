import { Prover } from '@firn/aggregation'
import { SecretKey, Signature } from '@firn/bls'
import { systemClock } from '@firn/runtime'
import { Quorum, SignedMessage, UnsignedMessage, ValidatorSet, Verification } from '@firn/warp'
import { expect, it } from 'vitest'
import { createMessage, createValidators, NETWORK_ID, sign } from '../testing/fakes.ts'
import * as SignedMessageCheck from './SignedMessageCheck.ts'

const NODES = createValidators([40n, 30n, 20n, 10n])
const BYTES = createMessage()
const [FIRST, SECOND] = NODES

/** Two keys whose sum is the point at infinity. */
const CANCELLING = (() => {
  const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
  const secret = (value: bigint) => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
  return [secret(7n), secret(order - 7n)].map((bytes, index) => {
    const secretKey = SecretKey.decode(bytes)
    const publicKey = SecretKey.publicKey(secretKey).compressed
    return { nodeId: new Uint8Array(20).fill(index + 1), publicKey, weight: 50n, secretKey }
  })
})()

/** Returns a message with the signatures of `nodes`, or with other bytes as its signature. */
function signed(nodes: typeof NODES, indices: readonly number[], signature?: Uint8Array) {
  const sum = () => Signature.aggregate(nodes.map((one) => sign(one, BYTES))).compressed
  return SignedMessage.create(UnsignedMessage.decode(BYTES), indices, signature ?? sum())
}

it.each([
  ['a valid message', NODES, [0, 1, 2, 3], undefined, {}, true, 1],
  ['another network', NODES, [0, 1, 2, 3], undefined, { networkId: 1 }, 'WRONG_NETWORK', 0],
  ['too little weight', NODES, [], undefined, {}, 'INSUFFICIENT_WEIGHT', 0],
  ['an unknown signer', NODES, [0, 1, 2, 3, 4], undefined, {}, 'UNKNOWN_SIGNER', 0],
  ['other signers', [FIRST, SECOND], [0, 1, 2, 3], undefined, {}, 'INVALID_SIGNATURE', 1],
  [
    'a signature that is no point',
    NODES,
    [0, 1, 2, 3],
    new Uint8Array(96).fill(7),
    {},
    'MALFORMED_SIGNATURE',
    1,
  ],
  [
    'the point at infinity',
    NODES,
    [0, 1, 2, 3],
    Uint8Array.of(0xc0, ...new Uint8Array(95)),
    {},
    'INVALID_SIGNATURE',
    1,
  ],
  ['no signers', NODES, [], undefined, { quorum: { numerator: 0n, denominator: 1n } }, 'NO_SIGNERS', 0],
  ['keys that cancel each other', CANCELLING, [0, 1], undefined, {}, 'INVALID_SIGNATURE', 1],
] as const)(
  'verifies %s as Verification.verify does',
  async (_, nodes, indices, signature, options, outcome, calls) => {
    const validatorSet = ValidatorSet.create(nodes === CANCELLING ? CANCELLING : NODES)
    const message = signed(nodes as typeof NODES, indices, signature)
    const context = { networkId: NETWORK_ID, validatorSet, quorum: Quorum.percent(67), ...options }
    const prover = Prover.create(systemClock)
    let checked = 0
    const counting: typeof prover.check = (...args) => {
      checked += 1
      return prover.check(...args)
    }
    const result = await SignedMessageCheck.verify(message, context, { check: counting })
    expect(result).toEqual(Verification.verify(message, context))
    expect([result.ok || result.code, checked]).toEqual([outcome, calls])
  },
)
