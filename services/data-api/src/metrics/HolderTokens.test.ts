import type { EvmSnapshot, EvmStore, EvmTokenHolders } from '@firn/evm-store'
import { expect, test } from 'vitest'
import { createPageTokens } from '../http/endpoint/PageToken.ts'
import * as HolderTokens from './HolderTokens.ts'
import { createUuidTokens } from './UuidTokens.ts'

const tokens = createUuidTokens(createPageTokens(new Uint8Array(32).fill(1)), Date.now)
const snapshot = (height: bigint, hash: number) =>
  ({ height, hash: new Uint8Array(32).fill(hash), sequence: 9n }) as EvmSnapshot
/** A store whose newest block is 50 and whose block 7 has the given hash. */
const storeWith = (hash: number): EvmStore =>
  ({
    snapshot: async () => snapshot(50n, 1),
    snapshotAt: async (height: bigint) => (height === 7n ? snapshot(7n, hash) : undefined),
  }) as Partial<EvmStore> as EvmStore
const holder = (last: number, balance: bigint) => ({
  address: Uint8Array.from([0x12, 0x34, 0x56, 0x7f, ...Array(15).fill(0), last]),
  balance,
})
const AT = snapshot(7n, 5)
const HOLDERS = [holder(1, 3n), holder(2, 3n), holder(3, 4n)]

const open = (
  text: string | undefined,
  holders: readonly EvmTokenHolders.Holder[],
  { name = 'list', hash = 5 } = {},
) =>
  HolderTokens.open(tokens, name, storeWith(hash), text, async ({ first, last }, at) => {
    expect([Buffer.from(first).toString('hex'), Buffer.from(last).toString('hex')]).toEqual([
      `1234567${'0'.repeat(33)}`,
      `1234567${'f'.repeat(33)}`,
    ])
    expect(at.height).toBe(7n)
    return holders
  })

test.each(HOLDERS)('finds the holder among others whose addresses start alike: %o', async (after) => {
  const text = HolderTokens.seal(tokens, 'list', { at: AT, after })
  expect(await open(text, HOLDERS)).toEqual({ at: AT, after })
})

test.each([
  ['without a token', undefined, HOLDERS, {}],
  ['with an empty token', '', HOLDERS, {}],
  ['of another list', 'own', HOLDERS, { name: 'other' }],
  ['of a block that was replaced', 'own', HOLDERS, { hash: 6 }],
  ['of a holder whose balance differs', 'own', [holder(2, 5n)], {}],
  ['of a holder that is not there', 'own', [], {}],
])('starts again %s', async (_, kind, holders, more) => {
  const own = HolderTokens.seal(tokens, 'list', { at: AT, after: holder(2, 3n) })
  expect(await open(kind === 'own' ? own : kind, holders, more)).toBeUndefined()
})

test('starts again if the block is not stored, and asks to retry if it is not reached', async () => {
  const at = (height: bigint) =>
    HolderTokens.seal(tokens, 'list', { at: snapshot(height, 5), after: holder(2, 3n) })
  expect(await open(at(8n), HOLDERS)).toBeUndefined()
  await expect(open(at(51n), HOLDERS)).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' })
})
