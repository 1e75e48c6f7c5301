import { Id, ShortId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { describe, expect, test } from 'vitest'
import * as Addresses from './Addresses.ts'
import { createAliases } from './Aliases.ts'

const X = Networks.LOCAL.ids?.xChainId as Uint8Array
const P = Networks.PRIMARY_NETWORK_ID
const EWOQ = 'X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'

function context() {
  const chains = createAliases()
  chains.add(P, 'P')
  chains.add(X, 'X')
  chains.add(X, Id.format(X))
  return { chains, constants: Networks.LOCAL }
}

/**
 * Rejected addresses with the node's error texts. The texts are recorded from a node where possible, and
 * otherwise taken from the source code of the node's libraries.
 */
const REFUSED: readonly (readonly [string, string])[] = [
  ['', 'no separator found in address'],
  ['local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u', 'no separator found in address'],
  ['0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC', 'no separator found in address'],
  ['-', 'invalid bech32 string length 0'],
  ['X-abcdef1', 'invalid bech32 string length 7'],
  [`X-${'a'.repeat(91)}`, 'invalid bech32 string length 91'],
  ['X-ééééé', "invalid character in string: 'Ã'"],
  ['X-local 8jma8ppw3n', "invalid character in string: ' '"],
  ['X-Local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u', 'string not all lowercase or all uppercase'],
  ['X-aB éééééé', 'string not all lowercase or all uppercase'],
  ['X-localjma8ppw3nh', 'invalid separator index -1'],
  ['X-1jma8ppw3nh', 'invalid separator index 0'],
  ['X-local1z96u0', 'invalid separator index 5'],
  ['X-local1bjma8ppw3nhx5r4', 'invalid character not part of charset: 98'],
  [
    'X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96q',
    'invalid checksum (expected (bech32=00z96u, bech32m=00z96u6njfl7), got 00z96q)',
  ],
  ['2-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u', 'there is no ID with alias: 2'],
  ['X-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t', 'expected hrp "local" but got "fuji"'],
  ['P-local1qqqs8eyv4y', 'invalid hash length: expected 20 bytes but got 3'],
  [
    'P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u',
    'mismatched chainIDs: expected "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed" but got "11111111111111111111111111111111LpoYY"',
  ],
]

describe("rejected addresses, with the node's error texts", () => {
  test.each(REFUSED)('rejects %s', (text, reason) => {
    expect(() => Addresses.parse(text, X, context())).toThrow(
      `couldn't parse address ${JSON.stringify(text)}: ${reason}`,
    )
  })
})

describe('accepted addresses', () => {
  const payload = Addresses.parse(EWOQ, X, context())

  test.each([
    [
      'in upper case',
      EWOQ.replace('local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u', (text) => text.toUpperCase()),
    ],
    ['with the id of the chain', EWOQ.replace('X', Id.format(X))],
    ['without a chain', ShortId.format(payload)],
  ])('accepts an address %s', (_name, text) => expect(Addresses.parse(text, X, context())).toEqual(payload))

  test('accepts addresses with a new chain alias as soon as the alias is added', () => {
    const later = context()
    const text = EWOQ.replace('X', 'mine')
    expect(() => Addresses.parse(text, X, later)).toThrow('there is no ID with alias: mine')
    later.chains.add(X, 'mine')
    expect(Addresses.parse(text, X, later)).toEqual(payload)
  })

  test("formats addresses with the chain's primary alias", () => {
    expect(Addresses.format(payload, X, context())).toBe(EWOQ)
  })

  test('returns an address only once even if the list contains it several times', () => {
    expect(Addresses.parseAll([EWOQ, ShortId.format(payload), EWOQ], X, context())).toEqual([payload])
  })
})
