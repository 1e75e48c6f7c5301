import { Hex } from '@firn/codec'
import { startLocalEvm } from '@firn/demo-chain'
import { createZoo, readBalances, type ZooBalance } from '@firn/demo-chain/zoo'
import { EvmContracts, type EvmStore, EvmTokenBalances } from '@firn/evm-store'
import { openEvm } from '@firn/evm-store/testing'
import { TestPostgres } from '@firn/sql/testing'
import { describe, expect, it } from 'vitest'
import { compareNfts } from '../testing/compareNfts.ts'
import { createEvmProxy } from '../testing/evmProxy.ts'
import { CHAIN } from '../testing/evmStores.ts'
import { seeded } from '../testing/random.ts'
import { until } from '../testing/reliability.ts'
import { createEvmIndexer } from './EvmIndexer.ts'

const CHAIN_ID = 4_245n
const GENESIS = 1_700_000_000
/** Seeds of the random chains: 1 by default, more in longer runs. `FIRN_ZOO_SEED` is the first. */
const SEEDS = Array.from(
  { length: Math.max(1, Math.round(4 * Number(process.env['FIRN_ROUNDS'] ?? 0.25))) },
  (_, i) => i + Number(process.env['FIRN_ZOO_SEED'] ?? 1),
)

describe.skipIf(TestPostgres.missing() !== undefined)('token balances', { tags: ['postgres'] }, () => {
  it.each(SEEDS)(
    'equal balanceOf if they are checked, and NFTs have the owners of ownerOf, for tokens of every kind, seed %i',
    async (seed) => {
      await using chain = await startChain(seed)
      const { zoo, proxy, below } = chain
      const indexing = chain.startIndexer()
      await indexing.untilIndexed()
      await indexing.untilRead()
      const first = await chain.tip()
      for (let round = 0; round < 24; round++) {
        if (below(4) > 0) await zoo.block()
        else await zoo.reorg(1 + below(4))
        await indexing.untilIndexed()
        // Balances that were not checked yet must not be wrong either.
        if (below(3) === 0) expect(faults(await chain.compare([await chain.tip()]))).toEqual([])
        if (below(3) === 0) expect((await chain.compareNfts([await chain.tip()])).faults).toEqual([])
        if (below(3) > 0) await indexing.untilChecked()
      }
      await indexing.untilChecked()
      const last = await chain.tip()
      const nfts = await chain.compareNfts(range(first, last))
      expect(nfts.faults).toEqual([])
      expect(nfts.count).toBeGreaterThan(1_000)
      const all = await chain.compare(range(first, last))
      expect(faults(all)).toEqual([])
      const known = all.filter(({ isKnown }) => isKnown)
      const onLogs = known.filter(({ token }) => token.basis === 'logs')
      expect(known.length).toBeGreaterThan(10_000)
      expect(share(known, isAnswered)).toBeGreaterThan(0.99)
      expect(share(onLogs, (one) => one.source.basis === 'logs' && isAnswered(one))).toBeGreaterThan(0.99)
      expect(Math.max(...proxy.batches.values())).toBeLessThanOrEqual(5)
    },
  )

  it('are wrong at most once in a thousand if the node has only the newest states', async () => {
    await using chain = await startChain(SEEDS[0] as number)
    const { zoo, proxy, below } = chain
    const first = await chain.tip()
    proxy.states = 2
    for (let round = 0; round < 10; round++) await zoo.block()
    const indexing = chain.startIndexer()
    for (let round = 0; round < 10; round++) {
      if (below(4) > 0) await zoo.block()
      else await zoo.reorg(1 + below(4))
      await indexing.untilIndexed()
      if (below(2) > 0) await indexing.untilChecked()
    }
    await indexing.untilChecked()
    // More balances wait than are checked at first, and some may be called checked at the contract's first check.
    const all = await chain.compare(range(first, await chain.tip()))
    expect(faults(all).length).toBeLessThan(all.length / 1_000)
  })
})

/** A stored balance, compared with what `balanceOf` returns. */
interface Compared extends ZooBalance {
  /** Height at which the balance was asked for. */
  readonly height: bigint
  readonly source: EvmTokenBalances.BalanceSource
  /** Whether `balanceOf` returns a balance at the height. */
  readonly isKnown: boolean
  /** Whether the balance is 0, and by the logs as well. */
  readonly isAbsent: boolean
  /** Description of a balance that is said to be checked and differs; undefined if there is none. */
  readonly fault: string | undefined
}

/** A stored balance at a height. */
interface Stored extends EvmTokenBalances.Held {
  readonly of: ZooBalance
  readonly height: bigint
}

/** Starts a local EVM with tokens, a proxy in front of it, and a store. */
async function startChain(seed: number) {
  const random = seeded(seed)
  const genesis = { chainId: Number(CHAIN_ID), genesisTime: GENESIS, hardfork: 'paris' }
  const evm = await startLocalEvm({ ...genesis, signal: new AbortController().signal })
  const proxy = await createEvmProxy(evm.url)
  const store = await openEvm({ chainId: CHAIN_ID })
  const zoo = await createZoo({ url: proxy.url, random, time: GENESIS + 1 })
  const newest = async () => {
    const { number, hash } = (await proxy.ask('eth_getBlockByNumber', ['latest', false])) as Record<
      'number' | 'hash',
      string
    >
    return { height: BigInt(number), hash }
  }
  const ending: (() => Promise<unknown>)[] = [() => store.close(), () => proxy.close(), () => evm.close()]
  return {
    zoo,
    proxy,
    below: (limit: number) => Math.floor(random() * limit),
    tip: async () => (await newest()).height,
    startIndexer() {
      const upstreams = [{ url: proxy.url }]
      const indexer = createEvmIndexer({
        // anvil takes long to trace blocks.
        chains: [{ store, chain: CHAIN, upstreams, withTraces: seed % 2 === 0 }],
        // Each poll costs the node and the proxy processor time.
        pollMs: 50,
      })
      const stop = new AbortController()
      const running = indexer.run(stop.signal)
      ending.unshift(() => {
        stop.abort()
        return running
      })
      return {
        async untilIndexed() {
          const { height, hash } = await newest()
          const isIndexed = async () => {
            const snapshot = await store.snapshot().catch(() => undefined)
            return snapshot?.height === height && Hex.encode(snapshot.hash) === hash
          }
          expect(await until(isIndexed)).toBe(true)
        },
        /** Waits until it is known of which contracts the values are ids. */
        async untilRead() {
          const contracts = zoo.tokens.filter((one) => one.hasIdsAsValues)
          const isRead = async () => {
            const addresses = contracts.map(({ address }) => Hex.decode(address))
            const known = await EvmContracts.byAddresses(store, await store.snapshot(), addresses)
            return known.length === contracts.length && known.every(({ standard }) => standard === 721)
          }
          expect(await until(isRead)).toBe(true)
        },
        async untilChecked() {
          const isChecked = () => indexer.status()[0]?.checkedHeight === indexer.status()[0]?.height
          expect(await until(isChecked)).toBe(true)
        },
      }
    },
    compare: (heights: readonly bigint[]) => compare(store, evm.url, zoo.balances, heights),
    compareNfts(heights: readonly bigint[]) {
      const call = (to: string, data: string, height: bigint) =>
        proxy.ask('eth_call', [{ to, data }, `0x${height.toString(16)}`]).catch(() => undefined)
      return compareNfts({ store, url: evm.url, balances: zoo.balances, call }, heights)
    },
    async [Symbol.asyncDispose]() {
      for (const end of ending) await end()
    },
  }
}

/** Compares stored balances at heights with what `balanceOf` returns at the heights that the answers name. */
async function compare(
  store: EvmStore,
  url: string,
  balances: readonly ZooBalance[],
  heights: readonly bigint[],
): Promise<Compared[]> {
  const holdings = balances.map(({ token, tokenId, account }) => {
    const [contract, address] = [token.address, account].map(Hex.decode) as [Uint8Array, Uint8Array]
    return { contract, standard: token.standard, tokenId, address }
  })
  const stored: Stored[] = []
  for (const height of heights) {
    const held = await EvmTokenBalances.ofHoldings(store, holdings, height)
    stored.push(...held.map((one, i) => ({ ...one, height, of: balances[i] as ZooBalance })))
  }
  const truth = await readTruth(url, stored)
  return stored.map(({ of, height, balance, source }) => {
    const now = truth(of, height)
    const then = source.height === undefined ? undefined : truth(of, source.height)
    const fault = `${of.token.name} ${of.account} #${of.tokenId} at ${height}: ${balance} from ${source.basis} at ${source.height}, not ${then}`
    return {
      ...of,
      height,
      source,
      isKnown: now !== undefined,
      isAbsent: now === 0n && balance === 0n,
      fault: source.isChecked && balance !== then ? fault : undefined,
    }
  })
}

/**
 * Reads what `balanceOf` returns for stored balances: at the heights at which they were asked for and, if they are
 * checked, at the heights that they name. Each value is read once.
 */
async function readTruth(url: string, stored: readonly Stored[]) {
  const values = new Map<bigint, Map<ZooBalance, bigint | undefined>>()
  const add = (of: ZooBalance, height: bigint) => {
    const known = values.get(height) ?? new Map()
    values.set(height, known.set(of, undefined))
  }
  for (const { of, height, source } of stored) {
    if (of.token.basis === 'unreadable') continue
    add(of, height)
    if (source.isChecked && source.height !== undefined) add(of, source.height)
  }
  for (const [height, known] of values) {
    const read = [...known.keys()]
    for (const [i, value] of (await readBalances(url, read, height)).entries())
      known.set(read[i] as ZooBalance, value)
  }
  return (of: ZooBalance, height: bigint) => values.get(height)?.get(of)
}

function faults(compared: readonly Compared[]): readonly string[] {
  return compared.flatMap(({ fault }) => (fault === undefined ? [] : [fault]))
}

/**
 * Returns whether a balance is checked or is known to rest on the chain: the Data API asks the contract for the latter.
 * The lists do not contain balances of 0 without any log.
 */
function isAnswered({ source, isAbsent }: Compared): boolean {
  return source.isChecked || source.basis === 'chain' || isAbsent
}

function share(compared: readonly Compared[], holds: (one: Compared) => boolean): number {
  return compared.filter(holds).length / compared.length
}

function range(first: bigint, last: bigint): bigint[] {
  return Array.from({ length: Number(last - first) + 1 }, (_, i) => first + BigInt(i))
}
