import { Network } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { kindsOf, namesOf } from './NetworkNames.ts'

const { MAINNET, FUJI, LOCAL } = Network
const CUSTOM = 1337

describe('namesOf', () => {
  test.each([
    [MAINNET, undefined, { mainnet: 'mainnet', 'network-1': 'mainnet', 1: 'mainnet' }],
    [FUJI, undefined, { fuji: 'fuji', testnet: 'fuji', 'network-5': 'fuji', 5: 'fuji' }],
    [LOCAL, undefined, { local: 'local', testnet: 'testnet', 'network-12345': 'local', 12345: 'local' }],
    [
      CUSTOM,
      undefined,
      { 'network-1337': 'network-1337', 1337: 'network-1337', local: 'local', testnet: 'testnet' },
    ],
    [LOCAL, 'fuji', { fuji: 'fuji', local: 'fuji', testnet: 'fuji', 'network-12345': 'fuji', 12345: 'fuji' }],
    [CUSTOM, 'acme', { acme: 'acme', 'network-1337': 'acme', 1337: 'acme', local: 'acme', testnet: 'acme' }],
  ])('maps the network %j with the alias %s to the names %j', (networkId, alias, names) => {
    expect(Object.fromEntries(namesOf(networkId, alias))).toEqual(names)
    expect([...namesOf(networkId, alias).keys()]).toEqual(Network.names(networkId, alias))
  })
})

test('treats every network except Mainnet as a testnet', () => {
  expect(new Set(kindsOf(MAINNET, 'acme').values())).toEqual(new Set(['mainnet']))
  expect(Object.fromEntries(kindsOf(CUSTOM, 'acme'))).toMatchObject({ acme: 'testnet', testnet: 'testnet' })
})
