import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CHAIN_ALIASES, Hex } from '@firn/codec'
import type { Clock, Logger } from '@firn/runtime'
import { StateDigest } from '@firn/store'
import { openStore, recordedStore } from '@firn/store/testing'
import { createArchiveSource } from '../../primary/archive/ArchiveSource.ts'
import * as GenesisFiles from '../../primary/archive/GenesisFiles.ts'
import { createIndexer } from '../../primary/Indexer.ts'
import { createUpstreamSource } from '../../primary/node/UpstreamSource.ts'
import { temporaryFolder, unpack } from '../archives.ts'
import { createFakeNode } from '../fakeNode.ts'
import { replay } from '../replay.ts'
import { createNetworkLiar } from './NetworkLiar.ts'
import { NETWORK_LIES } from './networkLies.ts'
import type { Participant } from './Participant.ts'
import { runEndless } from './runEndless.ts'

/** A lie that an honest node could also send has been sent often enough after this many times. */
const OFTEN = 3
/** By how much the clock moves at each turn, so that the liar is trusted again. */
const FORGIVEN_MS = 30 * 60_000
/** Time in milliseconds between blocks, after which a node that failed is asked again. */
const SPACING_MS = 11_000
/** Longest pause of the indexer in milliseconds. */
const LONGEST_PAUSE_MS = 20
/** Minimum number of blocks that are accepted at the start. */
const FIRST = 30
/** Number of recorded blocks that a turn may need. With fewer, the network starts again from its genesis. */
const NEEDED = 20

interface Options {
  /** Longest time in milliseconds until a lie is named, or all blocks are indexed. */
  readonly patienceMs: number
}

/** A network from its genesis to its last recorded block, and its indexer. */
interface Run extends Pick<Participant, 'turn' | 'settle' | 'close'> {
  /** Returns the number of recorded blocks that the network has not accepted yet. */
  left(): number
}

/**
 * Starts an indexer of a recorded Primary Network with a lying and an honest node. The network accepts its recorded blocks
 * one by one, and starts again with an empty database when they run out. For tests only.
 */
export async function createNetworkParticipant(options: Options): Promise<Participant> {
  const findings: string[] = []
  let run = await start(options)
  return {
    name: 'Primary Network',
    lies: Object.keys(NETWORK_LIES),
    async turn(lie, isAlone) {
      if (run.left() < NEEDED) {
        findings.push(...(await run.settle()))
        await run.close()
        run = await start(options)
      }
      await run.turn(lie, isAlone)
    },
    settle: async () => [...findings, ...(await run.settle())],
    close: () => run.close(),
  }
}

async function start(options: Options): Promise<Run> {
  const { folder, remove } = temporaryFolder()
  const [local, other] = [join(folder, 'local'), join(folder, 'helicon')]
  unpack('local', local)
  unpack('helicon', other)
  const rules = await GenesisFiles.load({ archive: local, now: 0n })
  const order = (await replay(createArchiveSource(local), rules)).blocks.map(({ chain }) => chain)
  const [node, elsewhere] = [await createFakeNode(local, { most: 8 }), await createFakeNode(other)]
  let accepted = 0
  const grow = (count: number) => {
    accepted = Math.min(accepted + count, order.length)
    const taken = order.slice(0, accepted)
    for (const chain of CHAIN_ALIASES) node.limit[chain] = taken.filter((one) => one === chain).length
  }
  // Another network's first block would be as valid as the network's own, because both may have the same genesis.
  const firsts = CHAIN_ALIASES.map((chain) => order.indexOf(chain) + 1)
  grow(Math.max(FIRST, ...firsts))
  const [liar, honest] = [await createNetworkLiar(node, elsewhere), await createNetworkLiar(node, elsewhere)]
  const lines: string[] = []
  const line = (facts: object, message: string) => void lines.push(`${JSON.stringify(facts)} ${message}`)
  const log: Logger = { debug: () => undefined, info: () => undefined, warn: line, error: line }
  let skew = 0
  const clock: Clock = {
    now: () => Date.now() + skew,
    sleep: async (ms, signal) =>
      void (await setTimeout(Math.min(ms, LONGEST_PAUSE_MS), undefined, signal && { signal })),
  }
  const store = await openStore()
  const nodes = [liar, honest].map(({ url }) => ({ url, timeoutMs: 1_000 }))
  const source = createUpstreamSource({ nodes, clock, log })
  const indexer = createIndexer({ store, source, ...rules, clock, log })
  const { until, stop } = runEndless((signal) => indexer.run(signal), options.patienceMs)
  const height = () =>
    Object.values(indexer.status().chains ?? {}).reduce((sum, chain) => sum + Number(chain.height), 0)
  const isComplete = () => height() === accepted
  let ticks = 0
  const growSlowly = () => {
    ticks += 1
    if (!isComplete() && ticks % 25 !== 0) return
    skew += SPACING_MS
    grow(1)
  }
  const place = () =>
    `${height()} of ${accepted} blocks; ${indexer.status().problems.join('; ')}; ${lines.slice(-4).join('\n')}`
  const complete = () =>
    until(
      isComplete,
      () => undefined,
      () => `incomplete: ${place()}`,
    )
  let closing: Promise<void> | undefined
  const close = async () => {
    await stop()
    await source.close()
    await Promise.all([liar.close(), honest.close()])
    await store.close()
    remove()
  }
  await complete()
  return {
    left: () => order.length - accepted,
    async turn(lie, isAlone) {
      skew += FORGIVEN_MS
      const { named } = NETWORK_LIES[lie] ?? {}
      const since = lines.length
      const said = () => [...lines.slice(since), ...indexer.status().problems, ...indexer.status().warnings]
      const isNamed = () => said().some((one) => one.includes(liar.host) && named?.test(one) === true)
      Object.assign(liar, { lie, told: 0 })
      honest.isAway = isAlone
      const isEnough = () => (named === undefined ? liar.told >= OFTEN : liar.told > 0 && isNamed())
      await until(isEnough, growSlowly, () => {
        return `${lie}${isAlone ? ', alone' : ''}: not named, sent ${liar.told} times; ${place()}`
      })
    },
    async settle() {
      skew += FORGIVEN_MS
      honest.isAway = false
      grow(order.length)
      await complete()
      const [mine, theirs] = [await StateDigest.of(store), await StateDigest.of(await recordedStore('local'))]
      return Hex.encode(mine) === Hex.encode(theirs) ? [] : ['the digest differs from an honest index']
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
