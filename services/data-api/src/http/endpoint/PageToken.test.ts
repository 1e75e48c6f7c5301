import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPageTokens, type PageToken } from './PageToken.ts'

const secret = new Uint8Array(32).fill(7)
const tokens = createPageTokens(secret)
const token: PageToken = {
  at: [85n, 35n, 2n ** 63n - 1n],
  after: ['12', 'tx'],
  query: { pageSize: '5', addresses: 'local1,local2' },
}
const height = fc.bigInt({ min: 0n, max: 2n ** 63n })
const heights = fc.array(height)
const anyToken = fc.record({
  at: heights,
  after: fc.array(fc.string()),
  query: fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    fc.string(),
    { noNullPrototype: true },
  ),
})

test('decodes a token with every replica that has the same secret', () => {
  const other = createPageTokens(new Uint8Array(32).fill(7))
  fc.assert(
    fc.property(anyToken, (given) => {
      expect(other.open('list', tokens.seal('list', given))).toEqual(given)
    }),
  )
})

test('rejects a token with any character changed, removed or added', () => {
  const text = tokens.seal('list', token)
  for (let i = 0; i < text.length; i++) {
    const changed = text.slice(0, i) + (text[i] === 'A' ? 'B' : 'A') + text.slice(i + 1)
    expect(() => tokens.open('list', changed)).toThrow(
      /^pageToken: expected an unchanged token of this service/,
    )
  }
  for (const cut of ['', text.slice(1), text.slice(0, -1), `${text}A`, `${text}=`, ` ${text}`]) {
    expect(() => tokens.open('list', cut)).toThrow(/^pageToken: expected an unchanged token/)
  }
})

test('rejects a token of a different list or with a different secret', () => {
  const text = tokens.seal('subnets of local', token)
  expect(() => tokens.open('subnets of fuji', text)).toThrow(/a token of a different list or network/)
  const stranger = createPageTokens(new Uint8Array(32).fill(8))
  expect(() => stranger.open('subnets of local', text)).toThrow(/truncated, changed or created elsewhere/)
})
