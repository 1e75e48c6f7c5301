import { join } from 'node:path'
import { CHAIN_ALIASES } from '@firn/codec'
import { Ledger, LedgerState } from '@firn/ledger'
import { RpcError } from '@firn/rpc'
import { systemClock } from '@firn/runtime'
import { StoreError } from '@firn/sql'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createPulse } from '../common/Pulse.ts'
import { temporaryFolder, unpack } from '../testing/archives.ts'
import { type Replay, replay } from '../testing/replay.ts'
import { createArchiveSource } from './archive/ArchiveSource.ts'
import * as GenesisFiles from './archive/GenesisFiles.ts'
import * as DecodedBlock from './DecodedBlock.ts'
import type { Progress } from './FollowOptions.ts'
import type { Source } from './Source.ts'

const { folder, remove } = temporaryFolder()
afterAll(remove)
const archiveOf = (name: 'local' | 'helicon', at = name): string => {
  unpack(name, join(folder, at))
  return join(folder, at)
}
const rulesOf = (archive: string) => GenesisFiles.load({ archive, now: 0n })

describe('archive', () => {
  it.each([
    ['local', { P: 85n, X: 35n, C: 83n }],
    ['helicon', { P: 43n, X: 5n, C: 192n }],
  ] as const)('indexes the recorded network %s to its last block', async (name, heights) => {
    const archive = archiveOf(name)
    const { state, blocks, batches } = await replay(createArchiveSource(archive), await rulesOf(archive))
    for (const chain of CHAIN_ALIASES) expect(LedgerState.tip(state, chain).height).toBe(heights[chain])
    expect(blocks.length).toBe(Number(heights.P + heights.X + heights.C))
    expect(Math.max(...batches)).toBe(50)
  })

  it('applies blocks in the order of their times, even if the blocks of one chain arrive late', async () => {
    const archive = archiveOf('local')
    const source = createArchiveSource(archive)
    const late: Source = {
      ...source,
      async blocks(chain, from, limit, signal) {
        if (chain === 'X') await systemClock.sleep(30)
        return source.blocks(chain, from, Math.min(limit, 10), signal)
      },
    }
    const { blocks } = await replay(late, await rulesOf(archive))
    const times = blocks.map(({ chain, bytes }) => {
      return DecodedBlock.decode(chain, { kind: 'block', bytes, origin: '' }).time ?? 0n
    })
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : Number(a > b))))
    expect(new Set(times).size).toBeGreaterThan(100)
  })
})

describe('a source that reports changes of its tips', () => {
  it('is asked at once, and its answer is taken before the next poll', async () => {
    const archive = archiveOf('local')
    const source = createArchiveSource(archive)
    const changes = createPulse()
    const stop = new AbortController()
    let tip = 3n
    const growing: Source = {
      ...source,
      isFixed: false,
      changes,
      tip: async (chain) => (chain === 'P' ? tip : 0n),
      blocks: (chain, from, _limit, signal) => source.blocks(chain, from, Number(tip - from) + 1, signal),
    }
    // Without the report, the next block would wait for an hour.
    const { blocks } = await replay(growing, await rulesOf(archive), {
      once: false,
      pollMs: 3_600_000,
      signal: stop.signal,
      onProgress({ heights }) {
        if (heights.P.height !== tip) return
        if (tip === 5n) stop.abort()
        tip += 1n
        changes.beat()
      },
    })
    expect(blocks).toHaveLength(5)
  })
})

describe('state of which only a part is in memory', () => {
  it.each([0, 40, 100_000])('applies all blocks if at most %i records stay in memory', async (recent) => {
    for (const name of ['local', 'helicon'] as const) {
      const archive = archiveOf(name)
      const rules = await rulesOf(archive)
      const whole = await replay(createArchiveSource(archive), rules)
      const { blocks } = await replay(createArchiveSource(archive), rules, { recent, batchBlocks: 7 })
      const changesOf = ({ blocks }: Pick<Replay, 'blocks'>) => blocks.map(({ changes }) => changes)
      expect(changesOf({ blocks })).toEqual(changesOf(whole))
    }
  })

  it('reads what many blocks need at once', async () => {
    const archive = archiveOf('local')
    let reads = 0
    const onRead = async () => {
      reads += 1
    }
    const { blocks } = await replay(createArchiveSource(archive), await rulesOf(archive), {
      recent: 10_000,
      onRead,
    })
    expect(blocks).toHaveLength(203)
    expect(reads).toBeLessThan(10)
  })

  it('reads again what could not be read ahead, and ends with the failure if that fails too', async () => {
    const archive = archiveOf('local')
    const failing = (failures: number) => async () => {
      failures -= 1
      if (failures >= 0) throw new StoreError('STORE_UNAVAILABLE', 'no connection')
    }
    const run = async (failures: number) => {
      const options = { recent: 10_000, onRead: failing(failures) }
      return replay(createArchiveSource(archive), await rulesOf(archive), options)
    }
    expect((await run(1)).blocks).toHaveLength(203)
    await expect(run(10_000)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })
})

it('writes a batch that is not full once its first block is two seconds old', async () => {
  const archive = archiveOf('local')
  let now = 0
  const clock = { ...systemClock, now: () => (now += 100) }
  const { blocks, batches } = await replay(createArchiveSource(archive), await rulesOf(archive), { clock })
  expect(blocks).toHaveLength(203)
  expect(Math.max(...batches)).toBeLessThan(20)
})

it('writes the next batch only after the previous one is written', async () => {
  const archive = archiveOf('local')
  let [writing, most] = [0, 0]
  const commit = async () => {
    writing += 1
    most = Math.max(most, writing)
    await systemClock.sleep(2)
    writing -= 1
  }
  const { batches } = await replay(createArchiveSource(archive), await rulesOf(archive), {
    batchBlocks: 7,
    commit,
  })
  expect(batches.length).toBeGreaterThan(20)
  expect(most).toBe(1)
})

it('stops on an abort signal after the current batch is written', async () => {
  const archive = archiveOf('local')
  const stop = new AbortController()
  const commit = async () => {
    stop.abort()
    await systemClock.sleep(20)
  }
  const options = { batchBlocks: 7, commit, signal: stop.signal }
  const { batches } = await replay(createArchiveSource(archive), await rulesOf(archive), options)
  expect(batches).toEqual([7])
})

describe('unresponsive chain', () => {
  it('delays only chains that import from a chain that does not respond', async () => {
    const archive = archiveOf('local')
    const source = createArchiveSource(archive)
    let isDown = true
    const seen: Progress[] = []
    const down: Source = {
      ...source,
      isFixed: false,
      tip: async (chain, signal) => {
        if (chain === 'X' && isDown) throw new RpcError('RPC_TRANSPORT', 'nobody there')
        return source.tip(chain, signal)
      },
    }
    const { state, metrics } = await replay(down, await rulesOf(archive), {
      clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) },
      onProgress(progress) {
        seen.push(progress)
        if (progress.heights.P.height > 0n) isDown = false
      },
    })
    const refused = await metrics.registry.getSingleMetric('firn_indexer_refused_blocks_total')?.get()
    expect(refused?.values).toEqual([])
    expect(seen.some(({ heights: { P, X } }) => P.height > 0n && P.height < 85n && X.height === 0n)).toBe(
      true,
    )
    for (const [chain, height] of [
      ['P', 85n],
      ['X', 35n],
      ['C', 83n],
    ] as const)
      expect(LedgerState.tip(state, chain).height).toBe(height)
  })
})

describe('wrong blocks', () => {
  const fast = {
    ...systemClock,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal),
  }

  it('asks again for an import that was never exported, and blames its source', async () => {
    const archive = archiveOf('local')
    const source = createArchiveSource(archive)
    const refused: string[] = []
    // Without blocks of the C-chain, an import from it looks like an invention.
    const lying: Source = {
      ...source,
      isFixed: false,
      tip: async (chain, signal) => (chain === 'C' && refused.length === 0 ? 0n : source.tip(chain, signal)),
      refuse: (_origin, { message }) => void refused.push(message),
    }
    const { state, problems } = await replay(lying, await rulesOf(archive), { clock: fast })
    expect(refused[0]).toMatch(
      /^[PX]-chain block \d+ from .*: the block imports something that no block of the C-chain/,
    )
    expect(LedgerState.tip(state, 'P').height).toBe(85n)
    expect(problems.list()).toEqual([])
  })

  it('blames the source of a block that causes an unexpected error in the ledger, and asks again', async () => {
    const archive = archiveOf('local')
    const source = createArchiveSource(archive)
    const refused: string[] = []
    const refuse: Source['refuse'] = (_origin, { message }) => void refused.push(message)
    vi.spyOn(Ledger, 'apply').mockImplementationOnce(() => {
      throw new TypeError('hostile contents')
    })
    const { state } = await replay({ ...source, isFixed: false, refuse }, await rulesOf(archive), {
      clock: fast,
    })
    expect(refused).toEqual([expect.stringMatching(/-chain block 1 from .*hostile contents/)])
    for (const chain of CHAIN_ALIASES) expect(LedgerState.tip(state, chain).height).toBeGreaterThan(30n)
  })

  it('blames the sources of blocks that the database refuses', async () => {
    const archive = archiveOf('local')
    const refused: string[] = []
    const source: Source = {
      ...createArchiveSource(archive),
      isFixed: false,
      refuse: (_origin, { message }) => void refused.push(message),
    }
    const commit = async () => {
      throw new StoreError('STORE_QUERY', 'value out of range')
    }
    await expect(replay(source, await rulesOf(archive), { commit })).rejects.toThrow('value out of range')
    expect(refused[0]).toMatch(/the database refused a batch with blocks from .*value out of range/)
  })
})
