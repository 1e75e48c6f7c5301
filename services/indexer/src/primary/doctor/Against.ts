import { Address, Bytes, type ChainAlias, Id, isFirnError } from '@firn/codec'
import { Networks } from '@firn/genesis'
import type { Clock } from '@firn/runtime'
import { Blocks, type Snapshot, type Store, Subnets, Supplies } from '@firn/store'
import { IndexerError } from '../../common/IndexerError.ts'
import { followedOf } from '../StoreSource.ts'
import { differences, type Things } from './Facts.ts'
import type { Finding } from './Finding.ts'
import * as holdings from './holdings.ts'
import type { Reference } from './Reference.ts'
import * as SameHeight from './SameHeight.ts'
import * as Sampling from './Sampling.ts'
import * as validators from './validators.ts'

/** Options of {@link compare}. */
export interface AgainstOptions {
  readonly store: Store
  readonly reference: Reference
  readonly clock: Clock
  /** Random numbers in [0, 1) for the sample. Equal sequences choose equal samples from the same database. */
  readonly random: Sampling.Random
  /** Number of sampled addresses of each chain; default 20. */
  readonly addresses?: number
  /** Number of sampled heights of each chain, including the newest height; default 5. */
  readonly heights?: number
  /** Number of sampled subnets in addition to the Primary Network; default 10. */
  readonly subnets?: number
  /**
   * Maximum number of attempts of a request that is repeated because the node accepts blocks in the meantime;
   * default 20.
   */
  readonly attempts?: number
  readonly onProgress?: (what: string) => void
}

/** Result of {@link compare}. */
export interface Comparison {
  readonly findings: readonly Finding[]
  /** Number of compared answers of the node. */
  readonly compared: number
  /** Names of the parts that could not be compared, each with its reason. */
  readonly skipped: readonly string[]
}

interface Run extends Required<Omit<AgainstOptions, 'onProgress' | 'attempts'>> {
  attempts: number
  readonly hrp: string
  readonly signal: AbortSignal
  readonly onProgress: (what: string) => void
  readonly findings: Finding[]
  readonly skipped: string[]
  count: number
}

type Check = Finding['check']

/**
 * Compares a database with a node: block ids, validator sets at sampled heights, and, at the node's current heights,
 * supply, current validators, and balances and UTXOs of sampled addresses. If the node is ahead, lags or advances,
 * this is not reported as a finding.
 *
 * @throws IndexerError `INDEXER_SOURCE` if the node does not answer any request; StoreError; the signal's
 * reason
 */
export async function compare(options: AgainstOptions, signal: AbortSignal): Promise<Comparison> {
  const network = await options.store.network()
  if (network === undefined)
    throw new IndexerError('INDEXER_SOURCE', 'The database is empty. Run firn index first.')
  const run: Run = {
    addresses: 20,
    heights: 5,
    subnets: 10,
    attempts: 20,
    onProgress: () => undefined,
    ...options,
    hrp: network.constants.hrp,
    signal,
    findings: [],
    skipped: [],
    count: 0,
  }
  const followed = followedOf(network)
  for (const chain of followed) await compareBlocks(run, chain)
  const subnets = await sampleSubnets(run)
  await compareSets(run, subnets)
  for (const subnetId of subnets) {
    await compareSupply(run, subnetId)
    await compareValidators(run, subnetId)
  }
  for (const chain of followed) await compareHoldings(run, chain, followed)
  const { findings, skipped, count: compared } = run
  if (compared === 0)
    throw new IndexerError(
      'INDEXER_SOURCE',
      `Nothing could be compared with ${run.reference.name}: ${skipped.join('; ')}. Check that the URL belongs to a node API.`,
    )
  return { findings, compared, skipped }
}

/** Runs one part of the comparison. If the node does not answer, the part is recorded as skipped. */
async function attempt(run: Run, what: string, part: () => Promise<void>): Promise<void> {
  run.signal.throwIfAborted()
  run.onProgress(what)
  try {
    await part()
  } catch (error) {
    if (run.signal.aborted || !isFirnError(error) || error.code.startsWith('STORE_')) throw error
    run.skipped.push(`${what}: ${error.message}`)
  }
}

function report(
  run: Run,
  chain: ChainAlias,
  check: Check,
  height: bigint,
  messages: readonly string[],
): void {
  run.count += 1
  run.findings.push(...messages.map((message) => ({ chain, check, height, message })))
}

function compareBlocks(run: Run, chain: ChainAlias): Promise<void> {
  const { store, reference, signal } = run
  return attempt(run, `${chain}-chain blocks`, async () => {
    const top = await commonHeight(run, chain)
    for (const height of Sampling.heights(top, run.heights, run.random))
      await attempt(run, `${chain}-chain block ${height}`, async () => {
        const there = Id.format(await reference.blockId(chain, height, signal))
        const ids = await Blocks.idsAt(store, chain, height)
        const here = ids === undefined ? 'missing' : Id.format(ids.id)
        const message = `${chain}-chain block ${height} is ${here} in the database but ${there} on the node`
        report(run, chain, 'block', height, here === there ? [] : [message])
      })
  })
}

/** Returns the highest height that both the node and the database have reached. */
async function commonHeight({ store, reference, signal }: Run, chain: ChainAlias): Promise<bigint> {
  const lower = (a: bigint, b: bigint) => (a < b ? a : b)
  return lower(await reference.tip(chain, signal), (await store.snapshot())[chain].height)
}

async function sampleSubnets({ store, subnets, random }: Run): Promise<Uint8Array[]> {
  const all = await Subnets.all(store, await store.snapshot())
  const sampled = Sampling.some(all, subnets, random)
  return [Networks.PRIMARY_NETWORK_ID, ...sampled.map(({ subnetId }) => subnetId)]
}

function nameOf(subnetId: Uint8Array): string {
  return Bytes.isZero(subnetId) ? 'Primary Network' : `subnet ${Id.format(subnetId)}`
}

/**
 * Compares validator sets at past heights. Past sets never change, so the node's current height is
 * irrelevant.
 */
function compareSets(run: Run, subnets: readonly Uint8Array[]): Promise<void> {
  const { store, reference, signal } = run
  return attempt(run, 'validator sets at past heights', async () => {
    const top = await commonHeight(run, 'P')
    for (const height of Sampling.heights(top, run.heights, run.random))
      for (const subnetId of subnets)
        await attempt(run, `validators of the ${nameOf(subnetId)} at height ${height}`, async () => {
          const params = { height, subnetID: subnetId }
          const set = await reference.platform.call('platform.getValidatorsAt', params, { signal })
          const stored = await validators.storedSet(store, height, subnetId)
          const place = `validator set of the ${nameOf(subnetId)} at height ${height}`
          const found = differences(stored, validators.reportedSet(set))
          report(
            run,
            'P',
            'validators',
            height,
            found.map((difference) => `${place}: ${difference}`),
          )
        })
  })
}

interface Part<T> {
  /** Name of the compared data, for messages. */
  readonly what: string
  readonly check: Check
  /**
   * Chains that must have the same height in the database and on the node. Findings name the first of these
   * chains.
   */
  readonly chains: readonly [ChainAlias, ...ChainAlias[]]
  readonly ask: () => Promise<T>
  readonly compare: (answer: T, at: Snapshot) => Promise<readonly string[]>
}

/** Compares data that depends on the chains' last blocks. */
function compareNow<T>(run: Run, { what, check, chains, ask, compare }: Part<T>): Promise<void> {
  return attempt(run, what, async () => {
    const outcome = await SameHeight.ask(run, chains, ask, run.signal)
    if ('reason' in outcome) {
      run.skipped.push(`${what}: ${outcome.reason}`)
      // If nobody writes to the database, it stays behind, so later parts do not wait for it again.
      if (outcome.isBehind) run.attempts = 1
    } else {
      const [chain] = chains
      const { answer, at } = outcome
      const found = await compare(answer, at)
      const place = `${what} at height ${at[chain].height}`
      report(
        run,
        chain,
        check,
        at[chain].height,
        found.map((difference) => `${place}: ${difference}`),
      )
    }
  })
}

async function compareSupply(run: Run, subnetId: Uint8Array): Promise<void> {
  const { store, reference, signal } = run
  const snapshot = await store.snapshot()
  const isElastic = (await Supplies.bySubnet(store, snapshot, subnetId)) !== undefined
  // Only the Primary Network and elastic subnets have a supply.
  if (!Bytes.isZero(subnetId) && !isElastic) return
  const supplyOf = (supply: bigint | undefined): Things =>
    new Map(supply === undefined ? [] : [['supply', { amount: String(supply) }]])
  await compareNow(run, {
    what: `supply of the ${nameOf(subnetId)}`,
    check: 'supply',
    chains: ['P'],
    ask: () => reference.platform.call('platform.getCurrentSupply', { subnetID: subnetId }, { signal }),
    compare: async ({ supply }, at) =>
      differences(supplyOf(await Supplies.bySubnet(store, at, subnetId)), supplyOf(supply)),
  })
}

function compareValidators(run: Run, subnetId: Uint8Array): Promise<void> {
  const { store, reference, signal } = run
  return compareNow(run, {
    what: `current validators of the ${nameOf(subnetId)}`,
    check: 'validators',
    chains: ['P'],
    ask: () => reference.platform.call('platform.getCurrentValidators', { subnetID: subnetId }, { signal }),
    compare: async (answer, at) =>
      differences(await validators.stored(store, at, subnetId), validators.reported(answer.validators)),
  })
}

async function compareHoldings(run: Run, chain: ChainAlias, followed: readonly ChainAlias[]): Promise<void> {
  const owners = await Sampling.addresses(run.store, chain, run.addresses, run.random)
  for (const owner of owners) {
    if (chain === 'C') continue
    await compareUtxos(run, chain, chain, [owner])
    await compareBalances(run, chain, owner)
  }
  // Few UTXOs come from other chains, so one request covers all addresses.
  for (const source of followed)
    if (source !== chain && owners.length > 0) await compareUtxos(run, chain, source, owners)
}

function textOf({ hrp }: Run, chain: ChainAlias, payload: Uint8Array): string {
  return Address.format({ chain, hrp, payload })
}

function compareUtxos(
  run: Run,
  chain: ChainAlias,
  source: ChainAlias,
  owners: readonly Uint8Array[],
): Promise<void> {
  const { store, reference, signal } = run
  const addresses = owners.map((owner) => textOf(run, chain, owner))
  const whose = addresses.length === 1 ? addresses[0] : `${addresses.length} ${chain}-chain addresses`
  return compareNow(run, {
    what: source === chain ? `UTXOs of ${whose}` : `UTXOs from the ${source}-chain of ${whose}`,
    check: 'utxos',
    chains: source === chain ? [chain] : [chain, source],
    ask: () => reference.utxos({ chain, source, addresses }, signal),
    compare: async ({ bytes, isWhole }, at) => {
      const theirs = holdings.utxos(bytes)
      const ours = await holdings.storedUtxos(store, at, { chain, source }, owners)
      // If only a part of the node's list was read, only this part is compared.
      const known = isWhole ? ours : new Map([...ours].filter(([name]) => theirs.has(name)))
      return differences(known, theirs)
    },
  })
}

function compareBalances(run: Run, chain: 'P' | 'X', owner: Uint8Array): Promise<void> {
  const { store, reference, signal } = run
  const address = textOf(run, chain, owner)
  return compareNow(run, {
    what: `balances of ${address}`,
    check: 'balance',
    chains: [chain],
    ask: () => holdings.reportedBalances(reference, chain, address, signal),
    compare: async (theirs, at) =>
      differences(await holdings.storedBalances(store, at, chain, owner), theirs),
  })
}
