import { Bech32, Hex, Id } from '@firn/codec'
import { Records } from '@firn/ledger'
import { UnsignedTx } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Names from '../../primary/network/Names.ts'
import { balancesOf } from '../../primary/transactions/getBalances.ts'
import type { Filters } from '../common/Filters.ts'
import type { AddressFilter, AddressSubEvent, BalanceType } from './addressFilter.ts'
import type { BlockWatch, ChainBlocks } from './BlockWatch.ts'
import type { Decided } from './decided.ts'
import { positionedAt, type SourceEvent } from './SourceEvent.ts'

/** What the events of addresses are made of. */
export interface AddressSource extends Pick<ChainBlocks, 'context' | 'directory' | 'chain' | 'at'> {
  readonly filters: Filters<AddressFilter>
}

/** Returns the webhooks of addresses on a chain. */
export function watchAddresses(filters: Filters<AddressFilter>): BlockWatch {
  return {
    filters,
    events: async (blocks) => {
      const events: SourceEvent[] = []
      for (const block of Map.groupBy(blocks.decided, ({ listed }) => listed.decidedHeight).values())
        events.push(...(await addressEvents({ ...blocks, filters }, block)))
      return events
    },
  }
}

/** Returns the events that transactions of one block mean for the webhooks of addresses, in order. */
async function addressEvents(
  source: AddressSource,
  block: readonly Decided[],
): Promise<readonly SourceEvent[]> {
  const balances = balanceReader(source)
  const events: SourceEvent[] = []
  /** The last transaction of the block that touches an address. */
  const last = new Map<string, Decided>()
  for (const one of block) {
    const touched = touchedBy(one)
    for (const address of touched) last.set(address, one)
    for (const { subEvent, addresses, webhooks } of matches(source.filters, one, touched)) {
      const after = await balances(addresses, one.listed.decidedHeight)
      events.push({
        ...placeOf(one, webhooks),
        members: { eventType: subEvent, addresses: textOf(source, addresses), balances: after },
      })
    }
  }
  for (const [address, one] of last) events.push(...(await crossings(source, balances, address, one)))
  return events
}

/** Webhooks that get the same message: an event of a transaction and the observed addresses that take part. */
interface Match {
  readonly subEvent: AddressSubEvent
  /** Addresses in hexadecimal. */
  readonly addresses: readonly string[]
  readonly webhooks: readonly string[]
}

function matches(
  filters: Filters<AddressFilter>,
  { listed, made }: Decided,
  touched: ReadonlySet<string>,
): readonly Match[] {
  const own = new Map<AddressFilter, string[]>()
  for (const address of touched) {
    for (const filter of filters.of(address)) {
      if (listed.decidedHeight <= filter.fromSequence) continue
      const known = own.get(filter)
      if (known === undefined) own.set(filter, [address])
      else known.push(address)
    }
  }
  const rewarded = new Set(made.filter(({ origin }) => origin === 'reward').flatMap(ownersOf))
  const groups = new Map<string, Match & { readonly webhooks: string[] }>()
  const add = (subEvent: AddressSubEvent, addresses: readonly string[], id: string) => {
    const key = `${subEvent} ${addresses.join()}`
    const group = groups.get(key) ?? { subEvent, addresses, webhooks: [] }
    groups.set(key, group)
    group.webhooks.push(id)
  }
  for (const [{ id, subEvents }, found] of own) {
    const addresses = found.toSorted()
    const paid = addresses.filter((address) => rewarded.has(address))
    if (subEvents.has('balance_change')) add('balance_change', addresses, id)
    if (subEvents.has('reward_distribution') && paid.length > 0) add('reward_distribution', paid, id)
  }
  return [...groups.values()]
}

/** Returns the events of balances of an address that a block has brought below an amount. */
async function crossings(
  source: AddressSource,
  balances: ReturnType<typeof balanceReader>,
  address: string,
  one: Decided,
): Promise<readonly SourceEvent[]> {
  const { decidedHeight } = one.listed
  const groups = Map.groupBy(
    [...source.filters.of(address)].flatMap(({ id, subEvents, threshold, fromSequence }) =>
      threshold === undefined || !subEvents.has('balance_threshold') || decidedHeight <= fromSequence
        ? []
        : [{ id, ...threshold }],
    ),
    ({ type, amount }) => `${type} ${amount}`,
  )
  if (groups.size === 0) return []
  const before = await balances([address], decidedHeight - 1n)
  const after = await balances([address], decidedHeight)
  const avax = Id.format(source.context.genesis.avaxAssetId)
  return [...groups.values()].flatMap((group) => {
    const [{ type, amount } = { type: 'unlocked' as const, amount: 0n }] = group
    if (sumOf(before, type, avax) < amount || sumOf(after, type, avax) >= amount) return []
    return [
      {
        ...placeOf(
          one,
          group.map(({ id }) => id),
        ),
        members: {
          eventType: 'balance_threshold',
          addresses: textOf(source, [address]),
          balanceType: type,
          balanceThreshold: String(amount),
          balances: after,
        },
      },
    ]
  })
}

type Balances = Readonly<Record<string, Body>>

/** Returns a function that reads balances after a block, each once. Locks are evaluated at the time of the block. */
function balanceReader({ context, directory, chain, at }: AddressSource) {
  const known = new Map<string, Promise<Balances>>()
  const read = async (addresses: readonly string[], height: bigint): Promise<Balances> => {
    const then = await positionedAt(context.store, at, chain, height)
    const owners = addresses.map((address) => Hex.decodeBare(address))
    return (await balancesOf(context, directory, Names.NAME_OF[chain], {
      addresses: owners,
      at: then,
      now: then[chain].time,
    })) as Balances
  }
  return (addresses: readonly string[], height: bigint): Promise<Balances> => {
    const key = `${height} ${addresses.join()}`
    const made = known.get(key) ?? read(addresses, height)
    known.set(key, made)
    return made
  }
}

/** Returns the amount of AVAX of a kind of balance, in nAVAX. */
function sumOf(balances: Balances, type: BalanceType, avax: string): bigint {
  const amounts = (balances[type] ?? []) as readonly { readonly assetId: string; readonly amount: string }[]
  return amounts.reduce((sum, { assetId, amount }) => (assetId === avax ? sum + BigInt(amount) : sum), 0n)
}

/** Returns the owners of all outputs that a transaction consumed, created or staked, in hexadecimal. */
function touchedBy({ platform, consumed, made }: Decided): ReadonlySet<string> {
  const staked = platform === undefined ? [] : UnsignedTx.stake(platform)
  return new Set([...consumed, ...made, ...staked].flatMap(ownersOf))
}

function ownersOf({ output }: { readonly output: Records.Output }): readonly string[] {
  return Records.unlocked(output).addresses.map((address) => Hex.encodeBare(address))
}

function textOf({ context }: AddressSource, addresses: readonly string[]): readonly string[] {
  return addresses.map((address) => Bech32.encode(context.constants.hrp, Hex.decodeBare(address)))
}

function placeOf(one: Decided, webhooks: readonly string[]) {
  return { height: one.listed.decidedHeight, webhooks, cause: one }
}
