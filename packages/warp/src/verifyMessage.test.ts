import { Hex, Id } from '@firn/codec'
import { expect, test } from 'vitest'
import * as Quorum from './Quorum.ts'
import * as SignedMessage from './SignedMessage.ts'
import { type Recording, recordings } from './testing/vectors.ts'
import { type ValidatorSource, verifyMessage } from './verifyMessage.ts'

const [recording] = recordings() as readonly [Recording]
const { signedMessage, validatorSet } = recording
const { unsigned } = SignedMessage.decode(Hex.decode(signedMessage))
const keyless = 'NodeID-111111111111111111116DBWJs'

/** A node that reports the recorded validators, and records what it is asked. */
function createSource(changes: Partial<ValidatorSource> = {}) {
  const asked: unknown[][] = []
  const nodes = validatorSet.validators.flatMap(
    ({ publicKeyCompressed: publicKey, weight, nodeIDs: nodeIds }) =>
      nodeIds.map(
        (nodeId, index) => [nodeId, { publicKey, weight: index === 0 ? BigInt(weight) : 0n }] as const,
      ),
  )
  const total = nodes.reduce((sum, [, { weight }]) => sum + weight, 0n)
  const rest = { publicKey: null, weight: BigInt(validatorSet.totalWeight) - total }
  const answers: ValidatorSource = {
    getNetworkId: async () => unsigned.networkID,
    getSubnetId: async () => validatorSet.subnetID,
    getHeight: async () => 21n,
    getValidators: async () =>
      new Map<string, { publicKey: string | null; weight: bigint }>([...nodes, [keyless, rest]]),
    ...changes,
  }
  const ask =
    (name: keyof ValidatorSource) =>
    (...parameters: unknown[]) => {
      asked.push([name, ...parameters.slice(0, -1)])
      return (answers[name] as (...all: unknown[]) => Promise<never>)(...parameters)
    }
  const source: ValidatorSource = {
    getNetworkId: ask('getNetworkId'),
    getSubnetId: ask('getSubnetId'),
    getHeight: ask('getHeight'),
    getValidators: ask('getValidators'),
  }
  return { source, asked }
}

test.each([
  ['hex', signedMessage],
  ['hex without 0x', signedMessage.replace(/^0x/, '')],
  ['bytes', Hex.decode(signedMessage)],
])(
  'verifies a message in %s with the validators of its source chain at the current height',
  async (_name, given) => {
    const { source, asked } = createSource()
    const result = await verifyMessage(given, source)
    expect(result).toMatchObject({
      ok: true,
      signers: validatorSet.signature.signerIndices,
      totalWeight: BigInt(validatorSet.totalWeight),
      subnetId: validatorSet.subnetID,
      height: 21n,
      message: { unsigned },
    })
    expect(asked).toEqual([
      ['getNetworkId'],
      ['getSubnetId', Id.format(unsigned.sourceChainID)],
      ['getHeight'],
      ['getValidators', validatorSet.subnetID, 21n],
    ])
  },
)

test('uses the given quorum, subnet and height, and asks only for the rest', async () => {
  const { source, asked } = createSource()
  const options = { quorum: { numerator: 2n, denominator: 1n }, subnetId: validatorSet.subnetID, height: 7n }
  expect(await verifyMessage(signedMessage, source, options)).toMatchObject({
    ok: false,
    code: 'INSUFFICIENT_WEIGHT',
    height: 7n,
  })
  expect(asked).toEqual([['getNetworkId'], ['getValidators', validatorSet.subnetID, 7n]])
})

test('returns the reason for which a message is not valid', async () => {
  const verify = async (changes: Partial<ValidatorSource>) => {
    const result = await verifyMessage(signedMessage, createSource(changes).source, {
      quorum: Quorum.percent(1),
    })
    return result.ok ? 'ok' : result.code
  }
  expect(await verify({})).toBe('ok')
  expect(await verify({ getNetworkId: async () => unsigned.networkID + 1 })).toBe('WRONG_NETWORK')
  expect(await verify({ getValidators: async () => new Map() })).toBe('UNKNOWN_SIGNER')
})

test('throws for bytes that are not a message, and passes on the errors of the source', async () => {
  const { source, asked } = createSource()
  await expect(verifyMessage('0x00', source)).rejects.toMatchObject({
    code: expect.stringMatching(/^CODEC_/),
  })
  for (const nothing of ['', '0x', new Uint8Array()])
    await expect(verifyMessage(nothing, source)).rejects.toThrow(
      'signedMessage: expected a signed Warp message, got ',
    )
  await expect(verifyMessage('', source)).rejects.toThrow(/got nothing$/)
  expect(asked).toEqual([])
  const lost = new RangeError('no node')
  const failing = createSource({ getHeight: () => Promise.reject(lost) })
  await expect(verifyMessage(signedMessage, failing.source)).rejects.toBe(lost)
})

test('passes the signal to the source', async () => {
  const signals: unknown[] = []
  const { signal } = new AbortController()
  const getHeight: ValidatorSource['getHeight'] = async (options) => {
    signals.push(options?.signal)
    return 21n
  }
  await verifyMessage(signedMessage, createSource({ getHeight }).source, { signal })
  expect(signals).toEqual([signal])
})
