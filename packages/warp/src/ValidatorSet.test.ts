import { PublicKey } from '@firn/bls'
import { Hex, NodeId } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { cases, codeOf, recordings } from './testing/vectors.ts'
import * as ValidatorSet from './ValidatorSet.ts'

interface Golden {
  readonly validators: readonly {
    readonly nodeID: string
    readonly weight: string
    readonly publicKey: string | null
  }[]
  readonly ok: boolean
  readonly error?: string
  readonly canonical: readonly {
    readonly publicKey: string
    /** Uncompressed key; omitted in the largest set. */
    readonly publicKeyUncompressed?: string
    readonly weight: string
    readonly nodeIDs: readonly string[]
  }[]
  readonly totalWeight: string
}

function nodesOf(golden: Golden): ValidatorSet.Node[] {
  return golden.validators.map(({ nodeID: nodeId, weight, publicKey }) => ({
    nodeId: NodeId.parse(nodeId),
    weight: BigInt(weight),
    publicKey: publicKey ? Hex.decode(publicKey) : null,
  }))
}

function plain(set: ValidatorSet.ValidatorSet) {
  return set.validators.map(({ publicKey, weight, nodeIds }) => ({
    publicKey: Hex.encode(publicKey.compressed),
    publicKeyUncompressed: Hex.encode(publicKey.uncompressed),
    weight: weight.toString(),
    nodeIDs: nodeIds.map(NodeId.format),
  }))
}

const sets = cases<Golden>('validatorSet')
const [shared, keyless] = ['shared public keys are merged', 'two validators without key'].map((name) =>
  nodesOf(sets.find((set) => set.name === name) as Golden),
) as [ValidatorSet.Node[], ValidatorSet.Node[]]

describe('golden vectors', () => {
  test.each(sets)('builds the canonical set of the golden nodes: $name', (golden) => {
    const create = () => ValidatorSet.create(nodesOf(golden))
    if (!golden.ok) {
      expect(codeOf(create)).toBe('WARP_WEIGHT_OVERFLOW')
      return
    }
    expect(plain(create())).toMatchObject(golden.canonical)
    expect(create().totalWeight).toBe(BigInt(golden.totalWeight))
    const byId = nodesOf(golden).map(({ nodeId, ...node }) => [NodeId.format(nodeId), node] as const)
    expect(ValidatorSet.fromNodeIds(new Map(byId))).toEqual(create())
    const again = ValidatorSet.fromCanonical({
      totalWeight: BigInt(golden.totalWeight),
      validators: golden.canonical.map(({ publicKey, weight, nodeIDs: nodeIds }) => ({
        publicKey: Hex.decode(publicKey),
        weight: BigInt(weight),
        nodeIds: nodeIds.map(NodeId.parse),
      })),
    })
    expect(plain(again)).toMatchObject(golden.canonical)
  })
})

test('sorts validators in the order recorded from a running network', () => {
  const cache = new Map<string, PublicKey.PublicKey>()
  const decodePublicKey = (bytes: Uint8Array) => {
    const key = Hex.encode(bytes)
    const found = cache.get(key) ?? PublicKey.decode(bytes)
    cache.set(key, found)
    return found
  }
  for (const { name, validatorSet } of recordings()) {
    const nodes = validatorSet.validators.flatMap(({ publicKeyCompressed, weight, nodeIDs: nodeIds }) =>
      nodeIds.map((nodeId) => ({
        nodeId: NodeId.parse(nodeId),
        publicKey: Hex.decode(publicKeyCompressed),
        weight: BigInt(weight),
      })),
    )
    const set = ValidatorSet.create(nodes.reverse(), { decodePublicKey })
    expect(
      plain(set).map((validator) => validator.publicKeyUncompressed),
      name,
    ).toEqual(validatorSet.validators.map((validator) => validator.publicKeyUncompressed))
    const keyless = BigInt(validatorSet.totalWeight) - set.totalWeight
    expect(keyless >= 0n, name).toBe(true)
  }
  expect(cache.size).toBeLessThan(30)
})

test('ignores the order of the input and leaves the input unchanged', () => {
  const reversed = shared.toReversed()
  const before = reversed.slice()
  expect(plain(ValidatorSet.create(reversed))).toEqual(plain(ValidatorSet.create(shared)))
  expect(reversed).toEqual(before)
})

test('decodes equal keys only once', () => {
  let calls = 0
  const decodePublicKey = (bytes: Uint8Array) => {
    calls++
    return PublicKey.decode(bytes)
  }
  const set = ValidatorSet.create(shared, { decodePublicKey })
  expect(calls).toBe(set.validators.length)
  expect(calls).toBeLessThan(shared.length)
})

test('counts the weight of nodes without a key only in the total', () => {
  const set = ValidatorSet.create(keyless)
  const keyed = ValidatorSet.weightOf(set, set.validators.keys())
  expect(keyed).toBeLessThan(set.totalWeight)
  expect(ValidatorSet.weightOf(set, [set.validators.length])).toBe(0n)
})

describe('refusals', () => {
  const [first, second] = shared as [ValidatorSet.Node, ValidatorSet.Node]
  const max = 2n ** 64n - 1n

  test.each<[string, string, ValidatorSet.Node[]]>([
    [
      'WARP_WEIGHT_OVERFLOW',
      'weights over 2^64−1',
      [
        { ...first, weight: max },
        { ...second, weight: 1n },
      ],
    ],
    [
      'WARP_WEIGHT_OVERFLOW',
      'weights over 2^64−1 including a node without a key',
      [
        { ...first, weight: max },
        { ...second, weight: 1n, publicKey: null },
      ],
    ],
    ['WARP_WEIGHT', 'a negative weight', [{ ...first, weight: -1n }]],
    ['WARP_WEIGHT', 'a weight over 2^64−1', [{ ...first, weight: max + 1n }]],
    ['WARP_DUPLICATE_NODE', 'a node twice', [first, first]],
    ['WARP_PUBLIC_KEY', 'a key that is not a point', [{ ...first, publicKey: new Uint8Array(48).fill(1) }]],
    [
      'WARP_PUBLIC_KEY',
      'the point at infinity as a key',
      [{ ...first, publicKey: Uint8Array.of(0xc0, ...new Uint8Array(47)) }],
    ],
    ['WARP_PUBLIC_KEY', 'a key of 47 bytes', [{ ...first, publicKey: new Uint8Array(47) }]],
  ])('rejects a list of nodes with code %s: %s', (code, _what, nodes) => {
    expect(codeOf(() => ValidatorSet.create(nodes))).toBe(code)
  })

  test('rejects a set that is not canonical', () => {
    const { validators, totalWeight } = ValidatorSet.create(shared)
    const given = validators.map(({ publicKey, weight, nodeIds }) => ({
      publicKey: publicKey.compressed,
      weight,
      nodeIds,
    }))
    const refusal = (changed: typeof given, total = totalWeight) =>
      codeOf(() => ValidatorSet.fromCanonical({ validators: changed, totalWeight: total }))
    expect(refusal(given)).toBeUndefined()
    expect(refusal(given.toReversed())).toBe('WARP_VALIDATOR_SET')
    expect(refusal([...given, given.at(-1) as (typeof given)[0]], totalWeight * 2n)).toBe(
      'WARP_VALIDATOR_SET',
    )
    expect(refusal(given, totalWeight - 1n)).toBe('WARP_VALIDATOR_SET')
    expect(refusal(given, max + 1n)).toBe('WARP_WEIGHT')
  })
})
