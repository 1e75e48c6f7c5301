import { PrivateKey, PublicKey } from '@firn/keys'
import { SnapshotFile } from '@firn/store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as SnapshotList from './SnapshotList.ts'

const key = new Uint8Array(32).fill(7)
const publisher = PublicKey.evmAddress(PrivateKey.publicKey(key))

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const height = fc.bigInt(0n, (1n << 64n) - 1n)
const entry: fc.Arbitrary<SnapshotList.Entry> = fc.record({
  url: fc.webUrl(),
  networkId: fc.nat(),
  format: fc.nat(),
  heights: fc.record({ P: height, X: height, C: height }),
  time: height,
  size: fc.maxSafeNat(),
  sha256: bytes(32),
  digest: bytes(32),
})
const example: SnapshotList.Entry = {
  url: 'fuji.snapshot',
  networkId: 5,
  format: SnapshotFile.FORMAT,
  heights: { P: 300n, X: 20n, C: 0n },
  time: 1_790_000_000n,
  size: 1_000,
  sha256: new Uint8Array(32).fill(1),
  digest: new Uint8Array(32).fill(2),
}

describe('a signed list of snapshots', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(SnapshotList.parse(SnapshotList.sign(entries, key), publisher)).toEqual(entries)
      }),
      { numRuns: 20 },
    )
  })

  test('is rejected after any change of its entries', () => {
    const text = SnapshotList.sign([example], key)
    const changed = text.replace('fuji.snapshot', 'evil.snapshot')
    expect(changed).not.toBe(text)
    expect(() => SnapshotList.parse(changed, publisher)).toThrow(/signed by 0x|signature cannot be read/)
  })

  test.each([
    ['{', 'not JSON'],
    ['[]', 'expected the members'],
    ['{"list":"[]","signature":"0x00"}', 'its signature cannot be read'],
  ])('says what is wrong with %s', (text, reason) => {
    expect(() => SnapshotList.parse(text, publisher)).toThrow(reason)
  })

  test.each([
    ['digest', new Uint8Array(1), 'expected 32 bytes in hex in "digest"'],
    ['size', -1, 'expected a number in "size"'],
    ['heights', { P: '1', X: 'x', C: '0' }, 'expected a decimal number in "X"'],
  ])('says which member of an entry is wrong: %s', (name, value, reason) => {
    const list = SnapshotList.sign([{ ...example, [name]: value } as unknown as SnapshotList.Entry], key)
    expect(() => SnapshotList.parse(list, publisher)).toThrow(reason)
  })

  test('gives the newest snapshot of a network that this version can read', () => {
    const at = (P: bigint, more: Partial<SnapshotList.Entry> = {}) => ({
      ...example,
      heights: { ...example.heights, P },
      ...more,
    })
    const unreadable = { format: SnapshotFile.FORMAT + 1 }
    const entries = [at(2n), at(10n), at(9n), at(11n, unreadable), at(12n, { networkId: 1 })]
    expect(SnapshotList.newest(entries, 5)).toBe(entries[1])
    expect(() => SnapshotList.newest([at(1n, unreadable)], 5)).toThrow(
      /reads snapshots of format \d+, the list has/,
    )
    expect(() => SnapshotList.newest(entries, 9)).toThrow('no snapshot of network 9')
  })
})
