import { setTimeout } from 'node:timers/promises'
import { Hex } from '@firn/codec'
import { type InventedChain, inventedChain, inventedFacts } from '@firn/evm/testing'
import { EvmDoctor, type EvmStore } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import type { Clock, Logger } from '@firn/runtime'
import { database } from '@firn/sql/testing'
import { createEvmIndexer } from '../../evm/EvmIndexer.ts'
import { createEvmNode } from '../EvmNode.ts'
import { createFakeContracts } from '../evmContracts.ts'
import { CHAIN, indexOnce } from '../evmStores.ts'
import { createEvmLiar } from './EvmLiar.ts'
import { EVM_LIES } from './evmLies.ts'
import type { Participant } from './Participant.ts'
import { runEndless } from './runEndless.ts'

/** Options of {@link createEvmParticipants}. */
export interface EvmParticipantsOptions {
  readonly chainIds: readonly bigint[]
  readonly seed: number
  /** Maximum time in milliseconds until a lie is named, and until the data are complete at the end. */
  readonly patienceMs: number
}

/** A lie that an honest node could also send has been sent often enough after this many times. */
const OFTEN = 3
/** By how much the clock moves at each turn, so that the liar is trusted again. */
const FORGIVEN_MS = 30 * 60_000
const START = 1_708_732_800n

/**
 * Starts one indexer of several EVM chains, each with a lying and an honest node. Each chain is a participant. The
 * function that is returned too fails if the indexer has ended. For tests only.
 */
export async function createEvmParticipants(options: EvmParticipantsOptions) {
  const { chainIds, seed, patienceMs } = options
  let skew = 0
  const clock: Clock = {
    now: () => Date.now() + skew,
    sleep: async (ms, signal) => void (await setTimeout(ms, undefined, signal && { signal })),
  }
  const lines: string[] = []
  const line = (facts: object, message: string) => void lines.push(`${JSON.stringify(facts)} ${message}`)
  const log: Logger = { debug: () => undefined, info: () => undefined, warn: line, error: line }
  const chains = await Promise.all(
    chainIds.map((chainId, i) => openChain(chainId, seed + i, i % 2 === 0 ? 'testnet' : 'local')),
  )
  const indexer = createEvmIndexer({
    chains: chains.map(({ store, liar, honest, network }) => ({
      store,
      chain: { ...CHAIN, network },
      upstreams: [liar, honest].map(({ url }) => ({ url, timeoutMs: 1_000, maxResponseBytes: 8_000_000 })),
    })),
    pollMs: 20,
    longestPauseMs: 150,
    clock,
    log,
  })
  const { until, stop } = runEndless((signal) => indexer.run(signal), patienceMs)
  const participants = chains.map(
    ({ chainId, network, store, chain, node, liar, honest }, i): Participant => {
      const status = () => indexer.status()[i]
      const grow = (count: number) => {
        chain.grow(count)
        node.publish(chain.blocks.slice())
      }
      const isComplete = () =>
        status()?.height === BigInt(chain.blocks.length - 1) && status()?.phase === 'tip'
      let ticks = 0
      /** Adds up to three blocks when the others are indexed, and sometimes while the indexer waits. */
      const growSlowly = () => {
        ticks += 1
        // Only the newest block is requested by its hash.
        if (isComplete() || ticks % 25 === 0) grow(1 + (ticks % 3))
      }
      return {
        name: `chain ${chainId}`,
        lies: Object.keys(EVM_LIES),
        async turn(lie, isAlone) {
          skew += FORGIVEN_MS
          // A failure that goes on is logged only once, so the node works again before the next one.
          Object.assign(liar, { lie: undefined, answered: 0 })
          await until(
            () => liar.answered > 1,
            growSlowly,
            () => `${liar.host} is no longer asked: ${lines.slice(-3).join('\n')}`,
          )
          const { isLocal = false, ...told } = EVM_LIES[lie] ?? {}
          const named = isLocal && network === 'local' ? undefined : told.named
          const since = lines.length
          const said = () => [
            ...lines.slice(since),
            ...(status()?.problems ?? []),
            ...(status()?.warnings ?? []),
          ]
          const isNamed = () => said().some((one) => one.includes(liar.host) && named?.test(one) === true)
          const isEnough = () => (named === undefined ? liar.told >= OFTEN : isNamed())
          Object.assign(liar, { lie, told: 0 })
          honest.isAway = isAlone
          await until(isEnough, growSlowly, () => {
            const { phase, height, problems } = status() ?? {}
            const place = `${phase} at ${height} of ${chain.blocks.length - 1}, sent ${liar.told} times`
            return `${lie}${isAlone ? ', alone' : ''}: not named; ${place}; ${problems?.join('; ')}; ${said().slice(-4).join('\n')}`
          })
        },
        async settle() {
          skew += FORGIVEN_MS
          honest.isAway = false
          grow(3)
          await until(
            isComplete,
            () => undefined,
            () => `incomplete: ${JSON.stringify(status(), textOf)}; ${lines.slice(-5).join('\n')}`,
          )
          const faults = (await EvmDoctor.check(store)).faults.map(({ message }) => message)
          return [...faults, ...(await differences(store, chainId, node.url))]
        },
        async close() {
          await Promise.all([liar.close(), honest.close(), node.close()])
          await store.close()
        },
      }
    },
  )
  return {
    participants,
    lines,
    async close() {
      await stop()
      for (const participant of participants) await participant.close()
    },
  }
}

async function openChain(chainId: bigint, seed: number, network: 'testnet' | 'local') {
  const chain: InventedChain = inventedChain({
    seed,
    transactions: [1, 4],
    firstTime: START * 1000n,
    elapse: (random) => BigInt(random.below(4_000)),
  })
  chain.grow(10)
  const call = createFakeContracts(inventedFacts)
  const node = await createEvmNode({ chainId, blocks: chain.blocks.slice(), call })
  const [liar, honest] = [await createEvmLiar(node.url), await createEvmLiar(node.url)]
  return { chainId, network, chain, node, liar, honest, store: await openEvm({ chainId }) }
}

const TABLES = [
  'block',
  'transaction',
  'transfer',
  'internal_call',
  'creation',
  'log',
  'contract',
  'token',
  'token_balance',
  'token_holder',
  'last_activity',
  'rollup',
] as const

/** Returns how a store differs from one that is filled from the honest node alone. */
async function differences(store: EvmStore, chainId: bigint, url: string): Promise<string[]> {
  const other = await openEvm({ chainId })
  try {
    await indexOnce(other, [url])
    const found: string[] = []
    for (const table of TABLES) {
      const [mine, theirs] = [await rowsOf(store, table), await rowsOf(other, table)]
      const extra = [...mine].filter((row) => !theirs.has(row))
      const missing = [...theirs].filter((row) => !mine.has(row))
      if (extra.length + missing.length > 0)
        found.push(
          `${table}: ${missing.length} missing (${missing[0]}), ${extra.length} unexpected (${extra[0]})`,
        )
    }
    return found
  } finally {
    await other.close()
  }
}

async function rowsOf(store: EvmStore, table: (typeof TABLES)[number]): Promise<ReadonlySet<string>> {
  const rows = await database(store).selectFrom(table).selectAll().execute()
  return new Set(rows.map((row) => JSON.stringify(Object.entries(row).sort(), textOf)))
}

const textOf = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value instanceof Uint8Array ? Hex.encode(value) : value
