import { describe, expect, test } from 'vitest'
import { kindsOf, namesOf } from './NetworkNames.ts'

const MAINNET = { networkId: 1, name: 'mainnet' }
const FUJI = { networkId: 5, name: 'fuji' }
const LOCAL = { networkId: 12345, name: 'local' }
const CUSTOM = { networkId: 1337, name: 'network-1337' }

describe('namesOf', () => {
  test.each([
    [MAINNET, undefined, { mainnet: 'mainnet' }],
    [FUJI, undefined, { fuji: 'fuji', testnet: 'fuji' }],
    [LOCAL, undefined, { local: 'local', testnet: 'testnet' }],
    [CUSTOM, undefined, { 'network-1337': 'network-1337', local: 'local', testnet: 'testnet' }],
    [LOCAL, 'fuji', { fuji: 'fuji', local: 'fuji', testnet: 'fuji' }],
    [CUSTOM, 'acme', { acme: 'acme', 'network-1337': 'acme', local: 'acme', testnet: 'acme' }],
  ])('maps the network %j with the alias %s to the names %j', (network, alias, names) => {
    expect(Object.fromEntries(namesOf(network, alias))).toEqual(names)
  })
})

test('treats every network except Mainnet as a testnet', () => {
  expect(new Set(kindsOf(MAINNET, 'acme').values())).toEqual(new Set(['mainnet']))
  expect(Object.fromEntries(kindsOf(CUSTOM, 'acme'))).toMatchObject({ acme: 'testnet', testnet: 'testnet' })
})
