import { Address } from '@firn/codec'
import { beforeAll, expect, test } from 'vitest'
import type { NodeContext } from '../Context.ts'
import { recordedContext } from '../testing/chainReplay.ts'
import * as CAddresses from './CAddresses.ts'

let context: NodeContext
beforeAll(async () => {
  context = await recordedContext('local')
})

const payload = new Uint8Array(20).fill(7)
const text = (chain: string, hrp = 'local', bytes = payload) => Address.format({ chain, hrp, payload: bytes })
const OWN = '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC'
const X = '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed'

test('accepts addresses with any alias of the chain, and the bare form that Go clients send', () => {
  for (const era of ['coreth', 'saevm'] as const) {
    for (const chain of ['C', 'evm', OWN])
      expect(CAddresses.parse(text(chain), era, context)).toEqual(payload)
    const bare = CAddresses.parse('6Y3kysjF9jnHnYkdS9yGAuoHyae2eNmeV', era, context)
    expect(bare).toHaveLength(20)
  }
})

test.each([
  ['a missing separator', 'bogus', 'no separator found in address', 'no separator found in address'],
  ['an invalid bech32 text', '-', 'invalid bech32 string length 0', 'invalid bech32 string length 0'],
  ['an unknown chain', text('Q'), 'there is no ID with alias: Q', 'there is no ID with alias: Q'],
  [
    'an unknown chain and a wrong network',
    text('Q', 'fuji'),
    'there is no ID with alias: Q',
    'expected hrp "local" but got "fuji"',
  ],
  [
    'another chain',
    text('X'),
    `expected chainID to be "${OWN}" but was "${X}"`,
    `expected chainID "${OWN}" but got "${X}"`,
  ],
  [
    'another chain and too few bytes',
    text('X', 'local', payload.subarray(2)),
    'invalid hash length: expected 20 bytes but got 19',
    `expected chainID "${OWN}" but got "${X}"`,
  ],
  [
    'too few bytes',
    text('C', 'local', payload.subarray(2)),
    'invalid hash length: expected 20 bytes but got 19',
    'invalid hash length: expected 20 bytes but got 19',
  ],
])(
  "rejects %s with the node's error text, both before and since Helicon",
  (_what, address, coreth, saevm) => {
    expect(CAddresses.parse(address, 'coreth', context)).toBe(coreth)
    expect(CAddresses.parse(address, 'saevm', context)).toBe(saevm)
  },
)
