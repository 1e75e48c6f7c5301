import { Hex, NodeId } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import * as Quorum from './Quorum.ts'
import * as SignedMessage from './SignedMessage.ts'
import { cases, type Recording, recordings } from './testing/vectors.ts'
import * as ValidatorSet from './ValidatorSet.ts'
import * as Verification from './Verification.ts'

interface GoldenSet {
  readonly name: string
  readonly ok: boolean
  readonly validators: readonly {
    readonly nodeID: string
    readonly weight: string
    readonly publicKey: string | null
  }[]
}

interface Golden {
  readonly validatorSet: string
  readonly bytes: string
  readonly networkID: number
  readonly quorumNum: string
  readonly quorumDen: string
  readonly valid: boolean
  readonly error?: string
  readonly numSigners?: number
}

/** Maps prefixes of the reference's errors to codes. */
const CODES: readonly (readonly [string, Verification.Invalid['code']])[] = [
  ['wrong networkID', 'WRONG_NETWORK'],
  ['bitset is invalid', 'SIGNERS_NOT_CANONICAL'],
  ['unknown validator', 'UNKNOWN_SIGNER'],
  ['signature weight is insufficient', 'INSUFFICIENT_WEIGHT'],
  ['failed to parse signature', 'MALFORMED_SIGNATURE'],
  ['no public keys', 'NO_SIGNERS'],
  ['signature is invalid', 'INVALID_SIGNATURE'],
]

function expected(error: string | undefined): string {
  return error === undefined || error === 'ok'
    ? 'ok'
    : (CODES.find(([text]) => error.startsWith(text))?.[1] ?? error)
}

function outcome(result: Verification.Result): string {
  return result.ok ? 'ok' : result.code
}

const sets = new Map(
  cases<GoldenSet>('validatorSet')
    .filter(({ ok }) => ok)
    .map(({ name, validators }) => [
      name,
      ValidatorSet.create(
        validators.map(({ nodeID: nodeId, weight, publicKey }) => ({
          nodeId: NodeId.parse(nodeId),
          weight: BigInt(weight),
          publicKey: publicKey ? Hex.decode(publicKey) : null,
        })),
      ),
    ]),
)

test.each(cases<Golden>('signedMessage'))(
  "returns the reference's result for the validator set $validatorSet: $name",
  (golden) => {
    const validatorSet = sets.get(golden.validatorSet) as ValidatorSet.ValidatorSet
    const result = Verification.verify(SignedMessage.decode(Hex.decode(golden.bytes)), {
      networkId: golden.networkID,
      validatorSet,
      quorum: { numerator: BigInt(golden.quorumNum), denominator: BigInt(golden.quorumDen) },
    })
    expect(outcome(result)).toBe(expected(golden.error))
    expect(result.ok).toBe(golden.valid)
    if (result.ok) expect(result.signers.length).toBe(golden.numSigners)
    else if (result.code === 'INSUFFICIENT_WEIGHT') {
      const { signedWeight, totalWeight, quorum } = result
      expect(golden.error).toContain(
        `${quorum.numerator}*${totalWeight} > ${quorum.denominator}*${signedWeight}`,
      )
    } else if (result.code === 'UNKNOWN_SIGNER') {
      expect(golden.error).toContain(`(${result.index}) >= NumFilteredValidators (${result.validators})`)
    }
  },
)

describe('recorded on a running network', () => {
  const known = new Map<string, ReturnType<typeof ValidatorSet.fromCanonical>>()
  const setOf = ({ validatorSet }: Recording) => {
    const key = JSON.stringify([validatorSet.totalWeight, validatorSet.validators])
    const set =
      known.get(key) ??
      ValidatorSet.fromCanonical({
        totalWeight: BigInt(validatorSet.totalWeight),
        validators: validatorSet.validators.map(({ publicKeyCompressed, weight, nodeIDs: nodeIds }) => ({
          publicKey: Hex.decode(publicKeyCompressed),
          weight: BigInt(weight),
          nodeIds: nodeIds.map(NodeId.parse),
        })),
      })
    known.set(key, set)
    return set
  }

  test.each(recordings())('returns the recorded result at each quorum: $name', (recording) => {
    const message = SignedMessage.decode(Hex.decode(recording.signedMessage))
    const { networkID: networkId } = message.unsigned
    const verify = (percentage: number) =>
      Verification.verify(message, {
        networkId,
        validatorSet: setOf(recording),
        quorum: Quorum.percent(percentage),
      })
    for (const percentage of [1, 67, 80, 100] as const) {
      expect(outcome(verify(percentage)), `${percentage} %`).toBe(
        expected(recording.validatorSet[`verify${percentage}`]),
      )
    }
    const result = verify(1)
    if (result.ok) expect(result.signers).toEqual(recording.validatorSet.signature.signerIndices)
  })
})

test('rejects a bit set of 1 MiB by its length, without listing its indices', () => {
  const golden = cases<Golden>('signedMessage')[0] as Golden & { name: string; kind: string }
  const message = SignedMessage.decode(Hex.decode(golden.bytes))
  const signers = new Uint8Array(1024 * 1024).fill(0xff)
  const result = Verification.verify(
    { ...message, signature: { ...message.signature, signers } },
    {
      networkId: golden.networkID,
      validatorSet: sets.get('one validator') as ValidatorSet.ValidatorSet,
      quorum: Quorum.DEFAULT,
    },
  )
  expect(result).toMatchObject({ ok: false, code: 'UNKNOWN_SIGNER', index: 2 ** 23 - 1, validators: 1 })
})

test('reports the first of several faults in the order of the reference', () => {
  const golden = cases<Golden>('signedMessage').find(
    ({ name, validatorSet }) => name === 'all sign, 67/100' && validatorSet === 'five',
  ) as Golden
  const good = SignedMessage.decode(Hex.decode(golden.bytes))
  const validatorSet = sets.get('five') as ValidatorSet.ValidatorSet
  const verify = (signers: string, signature: Uint8Array, networkId: number, numerator: bigint) =>
    outcome(
      Verification.verify(
        { ...good, signature: { ...good.signature, signers: Hex.decode(signers), signature } },
        { networkId, validatorSet, quorum: { numerator, denominator: 100n } },
      ),
    )
  const zeros = new Uint8Array(96)
  const infinity = Uint8Array.of(0xc0, ...new Uint8Array(95))
  const { networkID: networkId } = golden
  expect(verify('0x00ff', zeros, networkId + 1, 101n)).toBe('WRONG_NETWORK')
  expect(verify('0x00ff', zeros, networkId, 101n)).toBe('SIGNERS_NOT_CANONICAL')
  expect(verify('0xff', zeros, networkId, 101n)).toBe('UNKNOWN_SIGNER')
  expect(verify('0x1f', zeros, networkId, 101n)).toBe('INSUFFICIENT_WEIGHT')
  expect(verify('0x1f', zeros, networkId, 100n)).toBe('MALFORMED_SIGNATURE')
  expect(verify('0x', zeros, networkId, 0n)).toBe('MALFORMED_SIGNATURE')
  expect(verify('0x', infinity, networkId, 0n)).toBe('NO_SIGNERS')
  expect(verify('0x1f', infinity, networkId, 100n)).toBe('INVALID_SIGNATURE')
  expect(verify('0x1f', good.signature.signature, networkId, 100n)).toBe('ok')
})
