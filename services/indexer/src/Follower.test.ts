import { join } from 'node:path'
import { LedgerState } from '@firn/ledger'
import { afterAll, describe, expect, it } from 'vitest'
import { createArchiveSource } from './ArchiveSource.ts'
import * as GenesisFiles from './GenesisFiles.ts'
import { CHAINS } from './Source.ts'
import { temporaryFolder, unpack } from './testing/archives.ts'
import { replay } from './testing/replay.ts'

const { folder, remove } = temporaryFolder()
afterAll(remove)
const archiveOf = (name: 'local' | 'helicon', at = name): string => {
  unpack(name, join(folder, at))
  return join(folder, at)
}
const rulesOf = (archive: string) => GenesisFiles.load({ archive, now: 0n })

describe('an archive', () => {
  it.each([
    ['local', { P: 85n, X: 35n, C: 83n }],
    ['helicon', { P: 43n, X: 5n, C: 192n }],
  ] as const)('of the recorded network %s is followed to its end', async (name, heights) => {
    const archive = archiveOf(name)
    const { state, blocks, batches } = await replay(createArchiveSource(archive), await rulesOf(archive))
    for (const chain of CHAINS) expect(LedgerState.tip(state, chain).height).toBe(heights[chain])
    expect(blocks.length).toBe(Number(heights.P + heights.X + heights.C))
    expect(Math.max(...batches)).toBe(50)
  })

  it('is taken in the order of block times, but for exports that are needed first', async () => {
    const archive = archiveOf('local')
    const { blocks } = await replay(createArchiveSource(archive), await rulesOf(archive))
    const order = blocks.map(({ chain }) => chain).join('')
    expect(order).toMatch(/^P*X/)
    expect(order).not.toMatch(/P{85}|X{35}|C{83}/)
  })
})
