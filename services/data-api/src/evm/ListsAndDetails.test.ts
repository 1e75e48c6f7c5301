import { recordedEvmStore } from '@firn/store/testing'
import { expect, test } from 'vitest'
import { compareEvm } from '../testing/compareEvm.ts'
import { serveEvm } from '../testing/serveEvm.ts'

test.each([
  ['c', '43112'],
  ['l1', '99112'],
  ['helicon', '43111'],
] as const)(
  'lists of the recorded chain %s equal the answers about their elements',
  async (name, chainId) => {
    const store = await recordedEvmStore(name, undefined, { chainId: BigInt(chainId) })
    const ask = await serveEvm([store], { nativeBalance: async () => 1n })
    const { faults, counts } = await compareEvm((path) => ask(path), chainId)
    expect(faults).toEqual([])
    expect(
      Math.min(...['blocks', 'transactions', 'native', 'details'].map((list) => counts[list] ?? 0)),
    ).toBeGreaterThan(10)
  },
  300_000,
)
