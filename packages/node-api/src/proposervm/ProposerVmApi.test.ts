import { CHAIN_ALIASES } from '@firn/codec'
import { Blocks } from '@firn/store'
import { Container, Epoch } from '@firn/txs'
import { expect, test } from 'vitest'
import { platformContext } from '../testing/platformReplay.ts'
import * as ProposerVmApi from './ProposerVmApi.ts'

/**
 * Last tested height per chain; the tests start at height 2. The first block with a container has no epoch,
 * regardless of its time.
 */
const LIMITS = { P: 85n, X: 35n, C: 83n } as const

test.each(CHAIN_ALIASES)(
  'returns the epoch that the next block contains if called at the time of that block (%s-chain)',
  async (chain) => {
    const end = await platformContext('local')
    const containers = await Blocks.containers(end.store, await end.snapshot(), chain, 2n, LIMITS[chain])
    const numbers = new Set<bigint>()
    let options = 0
    for (const { height, bytes } of containers) {
      const opened = Container.open(bytes)
      if (opened.kind === 'preFork') throw new RangeError(`block ${height} has no container`)
      if (opened.container.type === 'Option') {
        options += 1
        continue
      }
      const { timestamp } = opened.container
      const context = await platformContext('local', { heights: { [chain]: height - 1n } })
      const api = ProposerVmApi.handlers({ ...context, now: () => Number(timestamp) * 1000 + 999 }, chain)
      const epoch = await api['proposervm.getCurrentEpoch']({})
      expect(epoch, `block ${height}`).toEqual(Container.epoch(opened.container))
      numbers.add(epoch.number)
    }
    expect(numbers.size).toBeGreaterThan(2)
    expect(options > 0).toBe(chain === 'P')
  },
)

test("uses the last block's time if the clock is behind it", async () => {
  const context = await platformContext('local', { heights: { C: 40n } })
  const at = async (now: number) =>
    ProposerVmApi.handlers({ ...context, now: () => now }, 'C')['proposervm.getCurrentEpoch']({})
  const { C } = await context.snapshot()
  expect(await at(0)).toEqual(await at(Number(C.time) * 1000))
})

test('returns no epoch before Granite', async () => {
  const context = await platformContext('local')
  const { constants } = context
  const later = { ...constants, upgrades: { ...constants.upgrades, granite: 9_999_999_999n } }
  const api = ProposerVmApi.handlers({ ...context, constants: later }, 'P')
  expect(await api['proposervm.getCurrentEpoch']({})).toEqual(Epoch.NONE)
})

test('proposes the current P-chain height, but at least the P-chain height of the parent block', async () => {
  const at = async (P: bigint, now?: number) => {
    const context = await platformContext('local', { heights: { P } })
    const api = ProposerVmApi.handlers(now === undefined ? context : { ...context, now: () => now }, 'C')
    return (await api['proposervm.getProposedHeight']({})).height
  }
  const context = await platformContext('local')
  const [last] = await Blocks.containers(context.store, await context.snapshot(), 'C', 83n, 83n)
  const opened = Container.open(last?.bytes ?? new Uint8Array())
  if (opened.kind === 'preFork' || opened.container.type === 'Option') throw new RangeError('no view')
  const { pChainHeight } = opened.container
  expect(pChainHeight).toBeGreaterThan(60n)
  expect(await at(85n)).toBe(85n)
  expect(await at(60n)).toBe(pChainHeight)
})

test("uses the network's minimum height for the first block with a container", async () => {
  const context = await platformContext('local', { heights: { C: 0n, P: 3n } })
  const { constants } = context
  const api = (apricotPhase4MinPChainHeight: bigint) => {
    const upgrades = { ...constants.upgrades, apricotPhase4MinPChainHeight }
    return ProposerVmApi.handlers({ ...context, constants: { ...constants, upgrades } }, 'C')
  }
  expect(await api(0n)['proposervm.getProposedHeight']({})).toEqual({ height: 3n })
  expect(await api(7n)['proposervm.getProposedHeight']({})).toEqual({ height: 7n })
  const { time } = (await context.snapshot()).C
  expect(await api(7n)['proposervm.getCurrentEpoch']({})).toEqual({
    pChainHeight: 0n,
    number: 1n,
    startTime: time,
  })
})
